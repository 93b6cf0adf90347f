import { createPublicKey } from 'node:crypto'
import { MailError, verifyMailServer } from '../../../platform/mail/mailer.ts'
import { dkimFromSettings, dkimSettings } from '../../dkim.ts'
import { type CheckFinding, type Context, problem, type RunCheck, warning } from '../check.ts'
import { openTxtReader, type ReadTxt } from '../dns.ts'

export const checkEmail: RunCheck = async (context) => {
  const { SMTP_URL, MAIL_FROM, MAIL_BOUNCE_ADDRESS, OUTBOUND_DNS_SERVERS } = context.read([
    'SMTP_URL',
    'MAIL_FROM',
    'MAIL_BOUNCE_ADDRESS',
    'OUTBOUND_DNS_SERVERS',
  ])
  const readTxt = openTxtReader(OUTBOUND_DNS_SERVERS, context)
  const from = domainOf(MAIL_FROM)
  const [server, dns] = await Promise.all([
    checkServer(context, SMTP_URL),
    context.isProduction
      ? checkRecords(context, readTxt, { from, bounces: domainOf(MAIL_BOUNCE_ADDRESS ?? MAIL_FROM) })
      : [],
  ])
  return {
    summary: `The mail server ${serverName(SMTP_URL)} accepts connections and the login.`,
    findings: [...server, ...dns],
  }
}

const domainOf = (address: string) =>
  address
    .slice(address.lastIndexOf('@') + 1)
    .replace(/>$/, '')
    .toLowerCase()

/** Host and port, without user and password. */
function serverName(url: string): string {
  const { hostname, port, protocol } = new URL(url)
  return `${hostname}:${port || (protocol === 'smtps:' ? 465 : 587)}`
}

async function checkServer(context: Context, url: string): Promise<CheckFinding[]> {
  const name = serverName(url)
  try {
    await verifyMailServer(url, { encrypted: false, timeoutMs: context.timeoutMs })
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    return [problem(`${name}: ${error.message}.`, fixOf(error, { context, url, name }))]
  }
  if (!context.isProduction || isThisMachine(url)) return []
  const isEncrypted = await verifyMailServer(url, { encrypted: true, timeoutMs: context.timeoutMs }).then(
    () => true,
    () => false,
  )
  if (isEncrypted) return []
  return [
    warning(
      `${name} offers no TLS: emails with sign-in codes travel in plain text.`,
      'Use a mail server with TLS: smtps://… in SMTP_URL, or one that offers STARTTLS.',
    ),
  ]
}

const isThisMachine = (url: string) => /^(?:localhost|127\.|\[::1\])/.test(new URL(url).hostname)

type Server = { context: Context; url: string; name: string }

function fixOf({ kind }: MailError, { context, url, name }: Server): string {
  const { hostname } = new URL(url)
  const startTls = url.startsWith('smtps:') ? '' : ' -starttls smtp'
  const set = `Write the right SMTP_URL to /etc/broadside/secrets/SMTP_URL, then: ${context.unit('restart', "'broadside-worker@*'")}`
  const fixes: Partial<Record<MailError['kind'], string>> = {
    unreachable: `Start the mail server, or open the firewall; to try it: nc -vz ${hostname} ${name.slice(name.lastIndexOf(':') + 1)}. If the address is wrong: ${set}`,
    timeout: `Ask the provider whether the port is blocked (many block 25): nc -vz ${hostname} ${name.slice(name.lastIndexOf(':') + 1)}`,
    tls: `openssl s_client -connect ${name}${startTls} -servername ${hostname} -verify_return_error </dev/null shows why. Renew the server’s certificate, or use its name in SMTP_URL.`,
    not_signed_in: set,
  }
  return fixes[kind] ?? `See the log of the mail server, and docs/runbooks/mail.md`
}

type Domains = { from: string; bounces: string }

async function checkRecords(context: Context, readTxt: ReadTxt, { from, bounces }: Domains): Promise<CheckFinding[]> {
  const dkim = dkimFromSettings(context.read(dkimSettings))
  const [spf, dmarc, keys] = await Promise.all([
    readTxt(bounces),
    readTxt(`_dmarc.${from}`),
    dkim ? readTxt(`${dkim.selector}._domainkey.${dkim.domain}`) : [],
  ])
  if (!spf || !dmarc || !keys)
    return [
      warning(
        'No DNS server answers, so DKIM, SPF and DMARC were not compared.',
        'Correct /etc/resolv.conf, or OUTBOUND_DNS_SERVERS if it is set.',
      ),
    ]
  return [
    ...(dkim ? checkKey(dkim, keys) : []),
    ...(spf.some((record) => /^v=spf1\b/i.test(record))
      ? []
      : [
          warning(
            `${bounces} has no SPF record: receivers may treat the emails as spam.`,
            `Add to DNS: ${bounces}. TXT "v=spf1 mx a:<host of the mail server> -all"`,
          ),
        ]),
    ...(dmarc.some((record) => /^v=DMARC1\b/i.test(record))
      ? []
      : [
          warning(
            `${from} has no DMARC record: anyone can send emails in its name.`,
            `Add to DNS: _dmarc.${from}. TXT "v=DMARC1; p=quarantine"`,
          ),
        ]),
  ]
}

type Key = { domain: string; selector: string; privateKey: string }

function checkKey({ domain, selector, privateKey }: Key, records: readonly string[]): CheckFinding[] {
  const ours = createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')
  const name = `${selector}._domainkey.${domain}`
  const add = `Set in DNS: ${name}. TXT "v=DKIM1; k=rsa; p=${ours}"`
  const published = records.map((record) => /(?:^|;)\s*p=([^;]*)/.exec(record)?.[1]?.replaceAll(/\s/g, ''))
  if (published.includes(ours)) return []
  if (published.every((key) => key === undefined))
    return [problem(`DNS has no DKIM record ${name}: receivers reject or distrust every email.`, add)]
  return [problem(`The DKIM record ${name} has another key than MAIL_DKIM_KEY: every signature is invalid.`, add)]
}
