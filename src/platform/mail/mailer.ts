import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'

export type Mail = {
  /** One address. */
  to: string
  /** The address for replies, if it is not the sender. It is only in the header and never in the envelope. */
  replyTo?: string
  subject: string
  text: string
  html: string
  /** `<evt_…@host>`. An email that is sent again keeps it, so that the receiver can recognise it. */
  messageId: string
  /** The page where the recipient can unsubscribe, for the List-Unsubscribe header. */
  unsubscribesAt?: string
}

/** `send` resolves when the server has accepted the email, and throws only a `MailError`. */
export type Mailer = { send(mail: Mail): Promise<void> } & AsyncDisposable

type FaultKind = 'malformed' | 'unreachable' | 'timeout' | 'tls' | 'not_signed_in' | 'refused' | 'failed'

/**
 * Why an email was not sent. Contains no address, no text and no server message, because that would quote addresses.
 */
export class MailError extends Error {
  readonly kind: FaultKind
  /** The server's status code when it rejected the email. */
  readonly status: number | undefined

  constructor(kind: FaultKind, status?: number) {
    super(status === undefined ? explanations[kind] : `${explanations[kind]} (${status})`)
    this.kind = kind
    this.status = status
  }

  /** True if a retry does not help, because the server would reject the email again. */
  get isFinal(): boolean {
    return this.kind === 'malformed' || (this.status !== undefined && this.status >= 500)
  }
}

const explanations: Record<FaultKind, string> = {
  malformed: 'the address, subject or id is not valid in an email header',
  unreachable: 'the mail server could not be reached',
  timeout: 'the mail server did not respond in time',
  tls: 'the mail server does not offer TLS with a trusted certificate',
  not_signed_in: 'the mail server rejected the user name or password',
  refused: 'the mail server rejected the email',
  failed: 'the email could not be sent',
}

const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

type Options = {
  smtpUrl: string
  from: string
  /** Receives bounces, which name the recipient; the address in `from` by default. */
  bounceAddress?: string | undefined
  /** Signs every email, so that receivers can verify the sender's domain. */
  dkim?: Dkim | undefined
}

export type Dkim = { domain: string; selector: string; privateKey: string }

/** Sends email through the operator's SMTP server over a few persistent connections. */
export function openMailer({ smtpUrl, from, bounceAddress = addressIn(from), dkim }: Options): Mailer {
  const transport = createTransport({
    ...serverOf(smtpUrl),
    ...timeouts,
    pool: true,
    maxConnections: 3,
    // Only for a persistent connection that the server had closed: no byte of the email was sent.
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim && { dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.privateKey } }),
  })
  transport.use('stream', (mail, done) => {
    const { from: sender, to } = mail.message.getEnvelope()
    // Creates a new envelope for each attempt: the old one stores the server's rejection, which the next attempt would
    // report again.
    mail.message.getEnvelope = () => ({ from: sender, to: [...to] })
    done()
  })
  return {
    send: async (mail) => {
      assertWellFormed(mail)
      try {
        await transport.sendMail({
          from,
          to: oneOf(mail.to),
          ...(mail.replyTo !== undefined && { replyTo: oneOf(mail.replyTo) }),
          envelope: { from: oneOf(bounceAddress), to: oneOf(mail.to) },
          subject: mail.subject,
          text: mail.text,
          html: mail.html,
          messageId: mail.messageId,
          ...(mail.unsubscribesAt !== undefined && { list: { unsubscribe: mail.unsubscribesAt } }),
          headers: { 'Auto-Submitted': 'auto-generated' },
        })
      } catch (error) {
        throw faultOf(error)
      }
    },
    [Symbol.asyncDispose]: async () => transport.close(),
  }
}

/**
 * Connects and logs in to the mail server without sending anything. `encrypted`: fails if the server offers no TLS.
 * Throws only a `MailError`.
 */
export async function verifyMailServer(
  smtpUrl: string,
  { encrypted, timeoutMs }: { encrypted: boolean; timeoutMs: number },
): Promise<void> {
  const limits = Object.fromEntries(Object.keys(timeouts).map((name) => [name, timeoutMs])) as typeof timeouts
  const transport = createTransport({ ...serverOf(smtpUrl), ...limits, ...(encrypted && { requireTLS: true }) })
  try {
    await transport.verify()
  } catch (error) {
    throw faultOf(error)
  } finally {
    transport.close()
  }
}

const addressIn = (from: string): string => /<([^<>]+)>$/.exec(from)?.[1] ?? from

/** As an object, it is a single address, whatever it contains. */
const oneOf = (address: string) => ({ name: '', address })

function serverOf(smtpUrl: string) {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const secure = protocol === 'smtps:'
  return {
    host,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // A password is sent encrypted, unless it never leaves the machine.
    requireTLS: !secure && username !== '' && !isThisMachine(host),
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  }
}

const isThisMachine = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** The unquoted ASCII form of RFC 5321; accounts have no other addresses. */
const oneAddress = /^(?!\.|.*\.[.@])[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9][a-z0-9.-]{0,252}$/i
const oneLine = /^(?=.*\S)[^\p{Cc}\p{Cs}\u2028\u2029]{1,500}$/u
const oneMessageId = /^<[\w.-]{1,100}@[\w.-]{1,253}>$/

function assertWellFormed({ to, replyTo = to, subject, messageId }: Mail): void {
  const areFit = [oneAddress.test(to), oneAddress.test(replyTo), oneLine.test(subject), oneMessageId.test(messageId)]
  // A mail client would decode an encoded word and show unchecked text.
  const isEncoded = [to, replyTo, subject].some((value) => value.includes('=?'))
  if (isEncoded || areFit.includes(false)) throw new MailError('malformed')
}

/** The error kind for each of nodemailer's codes. */
const kinds: Record<string, FaultKind> = {
  ECONNECTION: 'unreachable',
  ESOCKET: 'unreachable',
  EDNS: 'unreachable',
  ETIMEDOUT: 'timeout',
  ETLS: 'tls',
  EAUTH: 'not_signed_in',
  EENVELOPE: 'refused',
  EMESSAGE: 'refused',
}

function faultOf(error: unknown): MailError {
  const { code, originalCode, responseCode } = error as Record<string, unknown>
  // An untrusted certificate is reported as a socket error.
  if (/CERT|SIGNATURE|SSL|TLS|EPROTO/.test(String(originalCode))) return new MailError('tls')
  const kind = kinds[String(code)] ?? 'failed'
  return new MailError(kind, kind === 'refused' && typeof responseCode === 'number' ? responseCode : undefined)
}
