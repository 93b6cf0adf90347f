import { generateKeyPairSync } from 'node:crypto'
import { mkdirSync, rmSync } from 'node:fs'
import { createServer as createHttpsServer } from 'node:https'
import type { Server } from 'node:net'
import { join } from 'node:path'
import { SMTPServer } from 'smtp-server'
import { gatewaySettings, productionGateway } from '../../../src/bin/commands/processes/gateway.ts'
import { gatewayFiles, writeGatewayFiles } from '../../../src/bin/gateway/configuration.ts'
import { readSettings } from '../../../src/platform/settings/settings.ts'
import { startDnsServer } from '../../../tooling/network/dns-server.ts'
import { makeCertificates } from '../../../tooling/network/https-receiver.ts'
import { runNginx } from '../../../tooling/services/nginx.ts'
import { quietPort } from '../../../tooling/services/state.ts'
import { answering, type Broken, type Installation, listen, silent } from './installation.ts'

const mailServer = (stack: AsyncDisposableStack, options: ConstructorParameters<typeof SMTPServer>[0]) =>
  listen(
    new SMTPServer({ disableReverseLookup: true, closeTimeout: 100, ...options }).server as unknown as Server,
    stack,
  )

/** All origins on one TLS server with this certificate. */
async function servedWith(stack: AsyncDisposableStack, certificate: { key: string; cert: string }) {
  const server = createHttpsServer(certificate, (_, response) => response.end('ok')).on('tlsClientError', () => {})
  const origin = `https://127.0.0.1:${await listen(server as unknown as Server, stack)}`
  return { SITES: `message=${origin}`, ACCOUNT_PAGE_URL: origin, DESK_URL: origin }
}

const processes: readonly Broken[] = [
  {
    what: 'no process runs',
    probe: 'processes',
    says: /The api 1 process does not run: nothing listens.*systemctl start broadside-api@1; its log: journalctl/s,
    breaks: () => ({}),
  },
  {
    what: 'the worker hangs',
    probe: 'processes',
    says: /The worker 1 process was asked twice and does not answer.*systemctl restart broadside-worker@1/s,
    breaks: async (_, stack) => ({ WORKER_HEALTH_PORT: await silent(stack) }),
  },
  {
    what: 'the model hangs',
    probe: 'processes',
    says: /The model process was asked twice and does not answer.*systemctl restart broadside-model/s,
    breaks: async (_, stack) => ({ MODEL_URL: `http://127.0.0.1:${await silent(stack)}` }),
  },
  {
    what: 'a process is not ready, and another program has the port of the next one',
    probe: 'processes',
    says: /api 1 process is up but not ready: the database is away\..*Another program answers .* desk process/s,
    breaks: async (_, stack) => ({
      API_HEALTH_PORT: await answering(stack, ({ url }, response) => {
        const isReady = url === '/healthz'
        response.statusCode = isReady ? 200 : 503
        response.end(
          JSON.stringify(isReady ? { status: 'up' } : { status: 'not ready', reason: 'the database is away' }),
        )
      }),
      DESK_HEALTH_PORT: await answering(stack, (_request, response) => response.end('another program')),
    }),
  },
  {
    what: 'the judge refuses the key',
    probe: 'judge',
    says: /workers send no post to the judge, because \S+ answers 401.*does not accept JUDGE_API_KEY \(401\)/s,
    breaks: async (_, stack) => {
      const port = await answering(stack, (_request, response) => response.writeHead(401).end())
      return { JUDGE_URL: `http://127.0.0.1:${port}`, JUDGE_API_KEY: 'an-old-key-of-the-judge' }
    },
  },
  {
    what: 'no card can be drawn',
    probe: 'cards',
    says: /No card is drawn at \S+\/check \(timeout\).*systemctl restart broadside-cards/s,
    breaks: async (_, stack) => ({
      CARDS_PORT: await answering(stack, (_request, response) => response.writeHead(503).end('timeout')),
    }),
  },
  {
    what: 'the fonts for cards are missing',
    probe: 'cards',
    says: /All cards are plain: 23 fonts are not in .*apt-get install -y --no-install-recommends fonts-noto-core/s,
    breaks: ({ folder }) => ({ FONTS_DIRECTORY: join(folder, 'no-fonts') }),
  },
]

const gateways: readonly Broken[] = [
  {
    what: 'the gateway is not set up',
    probe: 'gateway',
    says: /There is no \S+nginx\.conf\..*broadside gateway \S+gateway && systemctl reload.*The gateway does not run.*https:\/\/127\.0\.0\.4:\d+, .*: nothing answers \(ECONNREFUSED\)/s,
    breaks: () => ({}),
  },
  {
    what: 'the settings changed after the gateway’s configuration was written',
    probe: 'gateway',
    says: /nginx\.conf does not match the settings; the first difference is on line \d+/,
    breaks: async (it, stack) => {
      await startGateway(it, stack)
      return { API_PROCESSES: '3' }
    },
  },
  {
    what: 'the gateway runs, and no API process and no document is behind it',
    probe: 'gateway',
    says: /robots\.txt: the gateway answers \d+: the documents are missing.*\/v1\/status: the gateway answers 50\d: the api process is down or not ready\..*--only processes/s,
    breaks: async (it, stack) => {
      await startGateway(it, stack)
      return {}
    },
  },
  {
    what: 'the gateway’s certificate file is gone',
    probe: 'gateway',
    says: /nginx does not accept the configuration: .*gone\.pem/s,
    breaks: async (it) => {
      const changes = { GATEWAY_DIRECTORY: join(it.folder, 'other'), GATEWAY_CERTIFICATE: join(it.folder, 'gone.pem') }
      mkdirSync(join(changes.GATEWAY_DIRECTORY, 'sockets'), { recursive: true })
      await writeGatewayFiles(changes.GATEWAY_DIRECTORY, configurationOf({ ...it.environment, ...changes }))
      return changes
    },
  },
  {
    what: 'the certificate on the disk and the one that is served have expired',
    probe: 'certificate',
    says: /https:\/\/127\.0\.0\.1:\d+, GATEWAY_CERTIFICATE: the certificate expired on \d{4}-\d\d-\d\d\.\n.*certbot renew/,
    breaks: (it, stack) => servedWith(stack, it.certificate),
    daysLater: 1_000,
  },
  {
    what: 'the certificate is for another name and is not the one on the disk',
    probe: 'certificate',
    says: /expires in \d days.*not trusted.*not for this name, but for DNS:elsewhere\.test.*shows another certificate/s,
    breaks: (_, stack) => servedWith(stack, makeCertificates(['elsewhere.test'])),
  },
]

const configurationOf = (environment: NodeJS.ProcessEnv) =>
  gatewayFiles(productionGateway(readSettings(environment, gatewaySettings), String(environment['GATEWAY_DIRECTORY'])))

async function startGateway({ environment }: Installation, stack: AsyncDisposableStack): Promise<void> {
  const directory = String(environment['GATEWAY_DIRECTORY'])
  const ports = [Number(environment['GATEWAY_LISTEN'])]
  const gateway = await runNginx({ directory, files: configurationOf(environment), ports, detached: false })
  stack.defer(async () => {
    await gateway.stop()
    rmSync(directory, { recursive: true })
  })
}

const others: readonly Broken[] = [
  {
    what: 'the mail server is down',
    probe: 'email',
    says: /the mail server could not be reached.*nc -vz 127\.0\.0\.1 \d+/s,
    breaks: async () => ({ SMTP_URL: `smtp://127.0.0.1:${await quietPort()}` }),
  },
  {
    what: 'the mail server refuses the password',
    probe: 'email',
    says: /the mail server rejected the user name or password.*Write the right SMTP_URL/s,
    breaks: async (_, stack) => {
      const port = await mailServer(stack, {
        ...{ disabledCommands: ['STARTTLS'], allowInsecureAuth: true },
        onAuth: (_auth, _session, done) => done(new Error('no')),
      })
      return { SMTP_URL: `smtp://broadside:an-old-mail-password@127.0.0.1:${port}` }
    },
  },
  {
    what: 'DNS has another DKIM key, and neither SPF nor DMARC',
    probe: 'email',
    says: /mail\._domainkey\.broadside\.test has another key.*p=MII.*has no SPF record.*has no DMARC record/s,
    breaks: async ({ file }, stack) => {
      const none = { 'broadside.test': { txt: [] }, '_dmarc.broadside.test': { txt: [] } }
      const dkim = { 'mail._domainkey.broadside.test': { txt: ['v=DKIM1; k=rsa; p=AAAA'] } }
      const dns = stack.use(await startDnsServer({ ...none, ...dkim }))
      const port = await mailServer(stack, { disabledCommands: ['STARTTLS'], authOptional: true })
      const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
      return {
        SMTP_URL: `smtp://127.0.0.1:${port}`,
        OUTBOUND_DNS_SERVERS: dns.server,
        MAIL_DKIM_DOMAIN: 'broadside.test',
        MAIL_DKIM_SELECTOR: 'mail',
        MAIL_DKIM_KEY: file('dkim.pem', String(privateKey.export({ type: 'pkcs8', format: 'pem' }))),
      }
    },
  },
  {
    what: 'the payment provider does not accept the key',
    probe: 'payments',
    says: /does not accept STRIPE_SECRET_KEY/,
    breaks: async (_, stack) => ({
      BROADSIDE_ENVIRONMENT: 'test',
      PAYMENTS_DRIVER: 'stripe',
      STRIPE_API_URL: `http://127.0.0.1:${await answering(stack, (_request, response) => response.writeHead(401).end())}`,
      STRIPE_SECRET_KEY: 'sk_test_revoked_long_ago',
      STRIPE_WEBHOOK_SECRET: 'whsec_0123456789',
    }),
  },
]

export const brokenServices: readonly Broken[] = [...processes, ...gateways, ...others]
