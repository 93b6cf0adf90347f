import { generateKeyPairSync } from 'node:crypto'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { startDnsServer } from '../network/dns-server.ts'
import { makeCertificates } from '../network/https-receiver.ts'
import { startPaymentProvider } from '../services/payment-provider/server.ts'
import { quietPort } from '../services/state.ts'
import { type BrokenSetup, type Installation, makeExpiredCertificate } from './installation.ts'

/** Listens until the stack ends, and returns the port. */
async function listen(
  server: Server,
  stack: AsyncDisposableStack,
  where: { host: string; port?: number },
): Promise<number> {
  server.listen(where.port ?? 0, where.host)
  await once(server, 'listening')
  stack.defer(() => void server.close())
  return (server.address() as AddressInfo).port
}

/** One origin for everything, on a TLS server with this certificate. */
async function servedWith(
  { environment }: Installation,
  stack: AsyncDisposableStack,
  certificate: { key: string | Buffer; cert: string | Buffer },
): Promise<NodeJS.ProcessEnv> {
  const server = createHttpsServer(certificate, (_, response) => response.end('ok'))
  server.on('tlsClientError', () => {})
  const port = await listen(server, stack, { host: '127.0.0.1' })
  const origin = `https://127.0.0.1:${port}`
  return {
    ...environment,
    SITES: `message=${origin}`,
    ACCOUNT_PAGE_URL: origin,
    DESK_URL: origin,
    GATEWAY_CERTIFICATE: '',
  }
}

const mailServer = (stack: AsyncDisposableStack, options: ConstructorParameters<typeof SMTPServer>[0]) => {
  const server = new SMTPServer({ disableReverseLookup: true, closeTimeout: 100, ...options })
  server.on('error', () => {})
  return listen(server.server as unknown as Server, stack, { host: '127.0.0.1' })
}

export const serviceSetups: readonly BrokenSetup[] = [
  {
    name: 'no process runs',
    only: 'processes',
    breaks: async ({ environment }) => environment,
    cause: /The api 1 process does not run: nothing listens at http:\/\/127\.0\.0\.1:\d+/,
    fix: /systemctl start broadside-api@1; if it ends again: journalctl -u broadside-api@1/,
  },
  {
    name: 'a process is not ready, another program has the port of the next one, and a third hangs',
    only: 'processes',
    breaks: async ({ environment }, stack) => {
      const waiting = createHttpServer((_, response) =>
        response.writeHead(503).end(JSON.stringify({ status: 'not ready', reason: 'the database accepts no writes' })),
      )
      const api = await listen(waiting as unknown as Server, stack, { host: '127.0.0.1' })
      const other = createHttpServer((_, response) => response.end('another program'))
      const desk = await listen(other as unknown as Server, stack, { host: '127.0.0.1' })
      const silent = await listen(createServer(), stack, { host: '127.0.0.1' })
      return {
        ...environment,
        API_HEALTH_PORT: String(api),
        DESK_HEALTH_PORT: String(desk),
        OWNER_PAGE_HEALTH_PORT: String(silent),
      }
    },
    cause:
      /api 1 process is up but not ready: the database accepts no writes[\s\S]*owner page process does not answer[\s\S]*Another program answers/,
    fix: /fix: broadside doctor --only database,roles,schema[\s\S]*systemctl restart broadside-owner-page[\s\S]*Find it with `ss -ltnp`/,
    timeoutSeconds: 2,
  },
  {
    name: 'the process that draws cards is away',
    only: 'cards',
    breaks: async ({ environment }) => ({ ...environment, CARDS_PORT: String(await quietPort()) }),
    cause: /The process that draws cards does not answer at http:\/\/127\.0\.0\.1:\d+\/check/,
    fix: /systemctl restart broadside-cards; its log: journalctl -u broadside-cards/,
  },
  {
    name: 'no card can be drawn',
    only: 'cards',
    breaks: async ({ environment }, stack) => {
      const server = createHttpServer((_, response) => response.writeHead(503).end('timeout'))
      const port = await listen(server as unknown as Server, stack, { host: '127.0.0.1' })
      return { ...environment, CARDS_PORT: String(port) }
    },
    cause: /No card can be drawn: timeout/,
    fix: /systemctl restart broadside-cards/,
  },
  {
    name: 'the certificate has expired',
    only: 'certificate',
    breaks: async (installation, stack) => servedWith(installation, stack, makeExpiredCertificate(['127.0.0.1'])),
    cause: /the certificate expired on 2025-02-01/,
    fix: /Renew it, for example: certbot renew; then: systemctl reload broadside-gateway/,
  },
  {
    name: 'the certificate is for another name and expires soon, and nobody trusts it',
    only: 'certificate',
    breaks: async (installation, stack) => servedWith(installation, stack, makeCertificates(['elsewhere.test'])),
    cause: /the certificate expires in 1 days[\s\S]*not for this name, but for DNS:elsewhere\.test/,
    fix: /certbot certonly -d 127\.0\.0\.1/,
  },
  {
    name: 'the mail server is down',
    only: 'email',
    breaks: async ({ environment }) => ({ ...environment, SMTP_URL: `smtp://127.0.0.1:${await quietPort()}` }),
    cause: /the mail server could not be reached/,
    fix: /Start the mail server, or open the firewall; to try it: nc -vz 127\.0\.0\.1/,
  },
  {
    name: 'the mail server refuses the password',
    only: 'email',
    breaks: async ({ environment }, stack) => {
      const port = await mailServer(stack, {
        ...{ disabledCommands: ['STARTTLS'], allowInsecureAuth: true },
        onAuth: (_auth, _session, done) => done(new Error('no')),
      })
      return { ...environment, SMTP_URL: `smtp://broadside:an-old-mail-password@127.0.0.1:${port}` }
    },
    cause: /the mail server rejected the user name or password/,
    fix: /Write the right SMTP_URL to \/etc\/broadside\/secrets\/SMTP_URL/,
  },
  {
    name: 'nobody trusts the certificate of the mail server',
    only: 'email',
    breaks: async ({ environment }, stack) => {
      const { key, cert } = makeCertificates(['127.0.0.1'])
      const port = await mailServer(stack, { secure: true, authOptional: true, key, cert })
      return { ...environment, SMTP_URL: `smtps://127.0.0.1:${port}` }
    },
    cause: /the mail server does not offer TLS with a trusted certificate/,
    fix: /openssl s_client -connect 127\.0\.0\.1:\d+ -servername 127\.0\.0\.1/,
  },
  {
    name: 'DNS has another DKIM key, and neither SPF nor DMARC',
    only: 'email',
    breaks: async ({ environment, folder }, stack) => {
      const dns = stack.use(
        await startDnsServer({
          'mail._domainkey.broadside.test': { txt: ['v=DKIM1; k=rsa; p=AAAA'] },
          'broadside.test': { txt: [] },
          '_dmarc.broadside.test': { txt: [] },
        }),
      )
      const port = await mailServer(stack, { disabledCommands: ['STARTTLS'], authOptional: true })
      const key = join(folder, 'dkim.pem')
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
      writeFileSync(key, privateKey.export({ type: 'pkcs8', format: 'pem' }))
      return {
        ...environment,
        SMTP_URL: `smtp://127.0.0.1:${port}`,
        OUTBOUND_DNS_SERVERS: dns.server,
        MAIL_DKIM_DOMAIN: 'broadside.test',
        MAIL_DKIM_SELECTOR: 'mail',
        MAIL_DKIM_KEY: key,
      }
    },
    cause:
      /The DKIM record mail\._domainkey\.broadside\.test has another key[\s\S]*has no SPF record[\s\S]*has no DMARC record/,
    fix: /Set in DNS: mail\._domainkey\.broadside\.test\. TXT "v=DKIM1; k=rsa; p=MII/,
  },
  {
    name: 'the payment provider does not accept the key',
    only: 'payments',
    breaks: async ({ environment }, stack) => {
      const provider = stack.use(
        await startPaymentProvider({
          port: 0,
          secretKey: 'sk_test_new',
          webhookSecret: 'whsec_0123456789',
          retryDelaysMs: [],
        }),
      )
      return {
        ...environment,
        BROADSIDE_ENVIRONMENT: 'test',
        PAYMENTS_DRIVER: 'stripe',
        STRIPE_API_URL: provider.apiUrl,
        STRIPE_SECRET_KEY: 'sk_test_revoked_long_ago',
        STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
      }
    },
    cause: /does not accept STRIPE_SECRET_KEY/,
    fix: /a new STRIPE_SECRET_KEY/,
  },
  {
    name: 'the secret of the payment provider’s webhooks is missing',
    only: 'payments',
    breaks: async ({ environment }) => ({
      ...environment,
      BROADSIDE_ENVIRONMENT: 'test',
      PAYMENTS_DRIVER: 'stripe',
      STRIPE_SECRET_KEY: `sk_live_${'0'.repeat(24)}`,
      STRIPE_WEBHOOK_SECRET: '',
    }),
    cause: /The payments driver "stripe" also needs STRIPE_WEBHOOK_SECRET/,
    fix: /Set STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET in the environment/,
  },
]
