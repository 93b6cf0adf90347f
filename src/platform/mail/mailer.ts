import { isIP } from 'node:net'
import { createTransport } from 'nodemailer'

export type Mail = {
  /** One address. */
  to: string
  /** Who is answered, if not the sender: one address. It is in the header and never in the envelope. */
  replyTo?: string
  subject: string
  text: string
  html: string
  /** `<evt_…@host>`. A mail that is sent again keeps it, so that the receiver can tell. */
  messageId: string
  /** Where such mails can be turned off: the header List-Unsubscribe. */
  unsubscribesAt?: string
}

/** `send` ends when the server has taken the mail over, and throws only a `MailError`. */
export type Mailer = { send(mail: Mail): Promise<void> } & AsyncDisposable

type FaultKind = 'malformed' | 'unreachable' | 'timeout' | 'tls' | 'not_signed_in' | 'refused' | 'failed'

/** Why a mail was not sent. No address and no text is in it, nor the server's own words, which quote addresses. */
export class MailError extends Error {
  readonly kind: FaultKind
  /** What the server answered when it refused. */
  readonly status: number | undefined

  constructor(kind: FaultKind, status?: number) {
    super(status === undefined ? explanations[kind] : `${explanations[kind]} (${status})`)
    this.kind = kind
    this.status = status
  }

  /** Sending it again does not help: the server will not take it tomorrow either. */
  get isFinal(): boolean {
    return this.kind === 'malformed' || (this.status !== undefined && this.status >= 500)
  }
}

const explanations: Record<FaultKind, string> = {
  malformed: 'the mail has an address, a subject or an id that cannot stand in a header',
  unreachable: 'the mail server could not be reached',
  timeout: 'the mail server did not answer in time',
  tls: 'the mail server offers no TLS that can be trusted',
  not_signed_in: 'the mail server did not accept the user and password',
  refused: 'the mail server refused the mail',
  failed: 'the mail could not be sent',
}

const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 }

type Options = {
  smtpUrl: string
  from: string
  /** Where mail that cannot be delivered comes back to, and tells who was written to; the address of `from` when left out. */
  bounceAddress?: string | undefined
  /** Signs every mail, so that receivers know the sender's domain vouches for it. */
  dkim?: Dkim | undefined
}

export type Dkim = { domain: string; selector: string; privateKey: string }

/** Sends mail through the operator's SMTP server, over a few connections that are kept. */
export function openMailer({ smtpUrl, from, bounceAddress = addressIn(from), dkim }: Options): Mailer {
  const transport = createTransport({
    ...serverOf(smtpUrl),
    ...timeouts,
    pool: true,
    maxConnections: 3,
    // Only for a kept connection that the server had closed: not a byte of the mail was sent.
    maxRequeues: 1,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(dkim && { dkim: { domainName: dkim.domain, keySelector: dkim.selector, privateKey: dkim.privateKey } }),
  })
  transport.use('stream', (mail, done) => {
    const { from: sender, to } = mail.message.getEnvelope()
    // One for each try: the connection keeps the server's refusal in it, which the next try would take for its own.
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

const addressIn = (from: string): string => /<([^<>]+)>$/.exec(from)?.[1] ?? from

/** As an object it is one address, whatever it contains. */
const oneOf = (address: string) => ({ name: '', address })

function serverOf(smtpUrl: string) {
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const host = hostname.replace(/^\[(.*)\]$/, '$1')
  const secure = protocol === 'smtps:'
  return {
    host,
    port: Number(port) || (secure ? 465 : 587),
    secure,
    // A password travels encrypted, unless it never leaves the machine.
    requireTLS: !secure && username !== '' && !isThisMachine(host),
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
  }
}

const isThisMachine = (host: string) =>
  host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'))

/** What RFC 5321 lets stand without quotes, in ASCII: an account has no other. */
const oneAddress = /^(?!\.|.*\.[.@])[\w.!#$%&'*+/=?^`{|}~-]{1,64}@[a-z0-9][a-z0-9.-]{0,252}$/i
const oneLine = /^(?=.*\S)[^\p{Cc}\p{Cs}\u2028\u2029]{1,500}$/u
const oneMessageId = /^<[\w.-]{1,100}@[\w.-]{1,253}>$/

function assertWellFormed({ to, replyTo = to, subject, messageId }: Mail): void {
  const areFit = [oneAddress.test(to), oneAddress.test(replyTo), oneLine.test(subject), oneMessageId.test(messageId)]
  // A reader would decode an encoded word, and show what nobody has looked at.
  const isEncoded = [to, replyTo, subject].some((value) => value.includes('=?'))
  if (isEncoded || areFit.includes(false)) throw new MailError('malformed')
}

/** The kinds by nodemailer's codes. */
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
  // A certificate that is not trusted comes as a fault of the socket.
  if (/CERT|SIGNATURE|SSL|TLS|EPROTO/.test(String(originalCode))) return new MailError('tls')
  const kind = kinds[String(code)] ?? 'failed'
  return new MailError(kind, kind === 'refused' && typeof responseCode === 'number' ? responseCode : undefined)
}
