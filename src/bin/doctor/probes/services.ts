import { createPublicKey } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { healthUrl } from '../../../moderation/model-control/drivers.ts'
import type { Dkim } from '../../../platform/mail/mailer.ts'
import { MailError, verifyMailServer } from '../../../platform/mail/mailer.ts'
import { openPayments, paymentSettings } from '../../../platform/payments/open-payments.ts'
import { SettingsError } from '../../../platform/settings/settings.ts'
import { dkimFromSettings, dkimSettings } from '../../dkim.ts'
import { askService } from '../ask.ts'
import { type Context, codeOf, must, type Probe, should } from '../probe.ts'

export const emailProbe: Probe = {
  name: 'email',
  expects: 'the mail server accepts the password over TLS; DKIM, SPF and DMARC are in DNS',
  look: async (context) => {
    const settings = context.read(['SMTP_URL', 'MAIL_FROM', 'MAIL_BOUNCE_ADDRESS', 'OUTBOUND_DNS_SERVERS'])
    const server = await examineMailServer(context, settings.SMTP_URL)
    if (!context.isProduction) return server
    const from = domainOf(settings.MAIL_FROM)
    const bounces = domainOf(settings.MAIL_BOUNCE_ADDRESS ?? settings.MAIL_FROM)
    return [...server, ...(await examineRecords(context, settings.OUTBOUND_DNS_SERVERS, { from, bounces }))]
  },
}

const domainOf = (address: string) => address.replace(/^.*@/, '').replace(/>$/, '').toLowerCase()

async function examineMailServer({ timeoutMs, isProduction, unit }: Context, url: string) {
  const { hostname, port, protocol } = new URL(url)
  const name = `${hostname}:${port || (protocol === 'smtps:' ? 465 : 587)}`
  const set = `Write the right SMTP_URL to /etc/broadside/secrets/SMTP_URL, then: ${unit('restart', "'broadside-worker@*'")}`
  const reach = `Start the mail server, or open the firewall (many providers block port 25); to try it: nc -vz ${name.replace(':', ' ')}. If the address is wrong: ${set}`
  const startTls = protocol === 'smtps:' ? '' : ' -starttls smtp'
  const fixes: Partial<Record<MailError['kind'], string>> = {
    unreachable: reach,
    timeout: reach,
    tls: `openssl s_client -connect ${name}${startTls} -verify_return_error </dev/null shows why. Renew the server’s certificate, or use its name in SMTP_URL.`,
    not_signed_in: set,
  }
  const verify = (encrypted: boolean) => verifyMailServer(url, { encrypted, timeoutMs })
  const error = await verify(false).catch((fault) => fault as MailError)
  if (error instanceof MailError)
    return [must(false, `${name}: ${error.message}.`, fixes[error.kind] ?? 'See docs/runbooks/mail.md.')]
  const isLocal = /^(?:localhost|127\.|\[::1\])/.test(hostname)
  const isEncrypted =
    isLocal ||
    !isProduction ||
    (await verify(true).then(
      () => true,
      () => false,
    ))
  const plain = `${name} offers no TLS: emails with sign-in codes travel in plain text.`
  return [should(isEncrypted, plain, 'Use a mail server with TLS: smtps://… in SMTP_URL, or one that offers STARTTLS.')]
}

async function examineRecords(
  context: Context,
  servers: string[] | undefined,
  domains: { from: string; bounces: string },
) {
  const resolver = new Resolver({ timeout: context.timeoutMs / 2, tries: 2 })
  if (servers) resolver.setServers(servers)
  const read = (name: string) =>
    resolver.resolveTxt(name).then(
      (records) => records.map((parts) => parts.join('')),
      (error) => (['ENOTFOUND', 'ENODATA'].includes(codeOf(error)) ? [] : undefined),
    )
  const { from, bounces } = domains
  const dkim = dkimFromSettings(context.read(dkimSettings))
  const keyName = dkim && `${dkim.selector}._domainkey.${dkim.domain}`
  const spf = await read(bounces)
  const dmarc = await read(`_dmarc.${from}`)
  const keys = keyName ? await read(keyName) : []
  if (!spf || !dmarc || !keys) {
    const servers = 'Correct /etc/resolv.conf, or OUTBOUND_DNS_SERVERS if it is set.'
    return [should(false, 'No DNS server answers, so DKIM, SPF and DMARC were not compared.', servers)]
  }
  const ours = dkim && publicKeyOf(dkim)
  return [
    must(
      !ours || keys.some((record) => record.replaceAll(/\s/g, '').split(';').includes(`p=${ours}`)),
      `The DKIM record ${keyName} ${keys.length > 0 ? 'has another key than MAIL_DKIM_KEY' : 'is missing'}: receivers reject or distrust every email.`,
      `Set in DNS: ${keyName}. TXT "v=DKIM1; k=rsa; p=${ours}"`,
    ),
    should(
      spf.some((record) => /^v=spf1\b/i.test(record)),
      `${bounces} has no SPF record: receivers may treat the emails as spam.`,
      `Add to DNS: ${bounces}. TXT "v=spf1 mx a:<host of the mail server> -all"`,
    ),
    should(
      dmarc.some((record) => /^v=DMARC1\b/i.test(record)),
      `${from} has no DMARC record: anyone can send emails in its name.`,
      `Add to DNS: _dmarc.${from}. TXT "v=DMARC1; p=quarantine"`,
    ),
  ]
}

const publicKeyOf = ({ privateKey }: Dkim) =>
  createPublicKey(privateKey).export({ type: 'spki', format: 'der' }).toString('base64')

export const paymentsProbe: Probe = {
  name: 'payments',
  expects: 'the payment provider accepts the key, and the key fits the environment',
  look: async (context) => {
    const settings = context.read(paymentSettings)
    if (settings.PAYMENTS_DRIVER === 'manual') return []
    const { STRIPE_SECRET_KEY: key = '', STRIPE_API_URL: origin } = settings
    const set = context.isProduction
      ? `Write STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET to /etc/broadside/secrets/, as the provider’s dashboard shows them, then: ${context.unit('restart', "'broadside-worker@*' broadside-owner-page")}`
      : 'Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET in the environment.'
    const missing = await openPayments(settings).then(
      () => undefined,
      (error) => (error instanceof SettingsError ? error.message : Promise.reject(error)),
    )
    if (missing) return [must(false, missing, set)]
    // A list of nothing: it changes nothing, and a restricted key may be refused with 403.
    const authorization = `Bearer ${key}`
    const { timeoutMs } = context
    const answer = await askService(`${origin}/v1/payment_intents?limit=1`, {
      timeoutMs,
      headers: { authorization },
    }).then(
      ({ status }) => status,
      (error) => codeOf(error),
    )
    const [kind, danger] = context.isProduction
      ? ['test', 'no card is charged']
      : ['live', 'real cards would be charged']
    const rights =
      'In the provider’s dashboard, give the key read and write access to customers, payments, checkout sessions, refunds and disputes.'
    return [
      must(context.isProduction === key.includes('_live_'), `STRIPE_SECRET_KEY is a ${kind} key: ${danger}.`, set),
      must(answer !== 401, `${origin} does not accept STRIPE_SECRET_KEY.`, set),
      must(answer !== 403, 'STRIPE_SECRET_KEY is a restricted key without the right to read payments.', rights),
      must(
        typeof answer === 'number' && answer < 500,
        `The payment provider ${origin} does not answer (${answer}).`,
        `Let this machine connect to it, and see the provider’s status page; to try it: curl -sSI ${origin}`,
      ),
    ]
  },
}

export const judgeProbe: Probe = {
  name: 'judge',
  expects: 'a judge, if set, is healthy and accepts the key',
  look: async (context) => {
    const names = ['JUDGE_URL', 'JUDGE_API_KEY', 'MODEL_URL', 'MODEL_HEALTH_PATH', 'MODEL_DRIVER'] as const
    const settings = context.read(names)
    const { JUDGE_URL: judge, JUDGE_API_KEY: key, MODEL_URL, MODEL_DRIVER } = settings
    if (!judge || judge === MODEL_URL) return []
    const { timeoutMs } = context
    const get = (url: string, headers = {}) =>
      askService(url, { timeoutMs, headers }).then(
        ({ status }) => status,
        (error) => codeOf(error),
      )
    const health = await get(healthUrl(settings))
    // A judge that workers start on demand may be stopped.
    if (typeof health === 'string' && MODEL_DRIVER !== 'always-on') return []
    const models = await get(`${judge}/v1/models`, key ? { authorization: `Bearer ${key}` } : {})
    const isRefused = models === 401 || models === 403
    return [
      must(
        typeof health === 'number' && health < 300,
        `The workers send no post to the judge, because ${healthUrl(settings)} answers ${health}.`,
        'Start the judge, or set MODEL_HEALTH_PATH to a path that it answers without a key. See docs/runbooks/judge.md.',
      ),
      must(
        !isRefused,
        `The judge ${judge} does not accept JUDGE_API_KEY (${models}): all its posts wait.`,
        `Write a valid key to /etc/broadside/secrets/JUDGE_API_KEY, then: ${context.unit('restart', "'broadside-worker@*'")}`,
      ),
      must(
        isRefused || (typeof models === 'number' && models < 500),
        `The judge ${judge} does not answer (${models}).`,
        'Start it, or see its log and docs/runbooks/judge.md.',
      ),
    ]
  },
}
