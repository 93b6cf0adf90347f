import { z } from 'zod'
import { productionRules } from './production-rules.ts'
import { readGiven } from './setting-files.ts'
import {
  addressRanges,
  databaseUrl,
  filePath,
  listenAddresses,
  mailAddress,
  ownSecrets,
  port,
  secretKeys,
  sender,
  serverAddresses,
  sites,
  smtpUrl,
} from './setting-values.ts'
import { backupSettings } from './subjects/backup-settings.ts'
import { cdnSettings } from './subjects/cdn-settings.ts'
import { contactSettings } from './subjects/contact-settings.ts'
import { modelSettings } from './subjects/model-settings.ts'
import { observabilitySettings } from './subjects/observability-settings.ts'
import { operatorSettings } from './subjects/operator-settings.ts'
import { pageSettings } from './subjects/page-settings.ts'
import { paymentDriverSettings } from './subjects/payment-settings.ts'
import { proofSettings } from './subjects/proof-settings.ts'
import { replicaSettings } from './subjects/replica-settings.ts'
import { upstreamSettings } from './subjects/upstream-settings.ts'

/**
 * All settings. Each process reads the ones it needs once, when it starts, from the environment: NAME, or NAME_FILE with
 * the path of a file. `npm run broadside -- settings` prints this table.
 */
export const settings = {
  BROADSIDE_ENVIRONMENT: z
    .enum(['development', 'test', 'production'])
    .describe(
      'Environment. production disables the development clock and the test words in posts, and rejects test keys, http origins, test doubles, missing limits and a missing erasure log.',
    ),
  SITES: sites.describe('Origin of each kind’s site: message=https://… story=https://…, separated by spaces.'),
  ACCOUNT_PAGE_URL: z
    .url()
    .regex(/^https?:\/\/[^/?#]+$/)
    .describe('Origin of the owner page, without a path. It never shows user content.'),
  DESK_URL: z
    .url()
    .regex(/^https?:\/\/[^/?#]+$/)
    .describe('Origin of the desk, where staff review posts, without a path. Passkeys are bound to its host.'),

  ...pageSettings,
  FONTS_DIRECTORY: z
    .string()
    .min(1)
    .default('/usr/share/fonts')
    .describe('Directory of the fonts for cards, the pictures of posts in link previews.'),
  ...backupSettings,
  ...proofSettings,

  API_DATABASE_URL: databaseUrl.describe(
    'PostgreSQL URL for the role broadside_api. In every database URL, `?connect_timeout=<seconds>` sets how long a call waits for a connection (default 5).',
  ),
  WORKER_DATABASE_URL: databaseUrl.describe('PostgreSQL URL for the role broadside_worker.'),
  OWNER_PAGE_DATABASE_URL: databaseUrl.describe('PostgreSQL URL for the role broadside_owner_page.'),
  DESK_DATABASE_URL: databaseUrl.describe('PostgreSQL URL for the role broadside_desk.'),
  OPERATOR_DATABASE_URL: databaseUrl.describe(
    'PostgreSQL URL for the role broadside_operator; only for operator commands.',
  ),
  READER_DATABASE_URL: databaseUrl.describe(
    'PostgreSQL URL for the role broadside_reader; for `ledger verify`, `audit verify` and `decisions export`.',
  ),
  MIGRATOR_DATABASE_URL: databaseUrl.describe('PostgreSQL URL for the role broadside_migrator, which owns the schema.'),
  ADMIN_DATABASE_URL: databaseUrl.describe('PostgreSQL URL for a server administrator; only for `database prepare`.'),
  ...replicaSettings,
  // Outside production, one connection listens for clock changes, and a worker uses one connection only for its lease.
  DATABASE_POOL_MAX: z.coerce
    .number()
    .int()
    .min(4)
    .max(200)
    .default(16)
    .describe('Maximum database connections per process. API processes open up to 50% more for searches.'),

  LISTEN_HOST: z.string().default('127.0.0.1').describe('Address to listen on. Only the gateway connects to it.'),
  API_PORT: port.default(4101).describe('Port of the first API process. The others use the following ports.'),
  API_HEALTH_PORT: port.default(4201).describe('Port for /healthz, /readyz and /metrics of the first API process.'),
  API_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(2)
    .describe('Number of API processes that `npm start` runs.'),
  OWNER_PAGE_PORT: port.default(4110).describe('Port of the owner page.'),
  OWNER_PAGE_HEALTH_PORT: port.default(4210).describe('Port for the owner page’s /healthz, /readyz and /metrics.'),
  DESK_PORT: port.default(4120).describe('Port of the desk.'),
  DESK_HEALTH_PORT: port.default(4220).describe('Port for the desk’s /healthz, /readyz and /metrics.'),
  CARDS_PORT: port.default(4140).describe('Port of the process that draws cards.'),
  CARDS_HEALTH_PORT: port.default(4240).describe('Port for that process’s /healthz, /readyz and /metrics.'),
  DESK_SECRET: ownSecrets.describe(
    'Secret that signs passkey challenges, at least 32 characters. Only the desk needs it. ' +
      'To rotate it, set the new and old secrets, separated by a comma: the first is used for signing, and both are accepted. ' +
      'Generate one with `openssl rand -base64 32`.',
  ),
  GATEWAY_LISTEN: listenAddresses
    .default(['443'])
    .describe('Where the gateway listens for HTTPS: ports, or addresses with a port, separated by spaces.'),
  GATEWAY_CERTIFICATE: filePath.describe('PEM file with the certificate for all hosts and its chain.'),
  GATEWAY_CERTIFICATE_KEY: filePath.describe('PEM file with the private key for that certificate.'),
  GATEWAY_USER: z
    .string()
    .regex(/^[a-z_][a-z0-9_-]{0,31}$/)
    .default('www-data')
    .describe('User that the gateway workers run as. It needs read access to PAGES_DIRECTORY.'),
  GATEWAY_TRUSTED_PROXIES: addressRanges
    .optional()
    .describe('Addresses of the proxies in front of the gateway. It trusts their X-Forwarded-For header.'),
  GATEWAY_PROXY_PROTOCOL: z
    .stringbool({ truthy: ['on'], falsy: ['off'] })
    .default(false)
    .describe(
      'on if the proxies in GATEWAY_TRUSTED_PROXIES start each connection with the PROXY protocol, version 1 or 2. ' +
        'Then the gateway refuses connections without it.',
    ),
  GATEWAY_CONNECTIONS_PER_ADDRESS: z.coerce
    .number()
    .int()
    .min(8)
    .max(16_384)
    .optional()
    .describe('Open connections that one IP address can have; 256 by default. An IPv6 /64 counts as one address.'),
  GATEWAY_REQUESTS_PER_SECOND_PER_ADDRESS: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe(
      'Requests per second that one IP address can send to the API, with bursts of twice as many. ' +
        'Without it, only the limit of the whole platform applies. Reading pages is not limited.',
    ),
  GATEWAY_SECRET: ownSecrets.describe(
    'Secret that authenticates the gateway to the API, at least 32 characters. ' +
      'To rotate it, set the new and the old secret, separated by a comma: the gateway sends the first, the API accepts both. ' +
      'Generate one with `openssl rand -base64 32`.',
  ),
  WORKER_HEALTH_PORT: port
    .default(4221)
    .describe('Port for /healthz, /readyz and /metrics of the first worker process.'),
  WORKER_PROCESSES: z.coerce
    .number()
    .int()
    .min(1)
    .max(64)
    .default(1)
    .describe('Number of worker processes that `npm start` runs.'),
  SHUTDOWN_GRACE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(60)
    .default(10)
    .describe('Seconds that requests in flight get to finish after SIGTERM.'),

  ...modelSettings,
  ...operatorSettings,
  ...upstreamSettings,

  ACCOUNTS_PER_ADDRESS_PER_DAY: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Number of accounts that one IP address can create per UTC day; 100 by default, 0 for no limit.'),

  REVIEW_EXPECTED_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(336)
    .default(24)
    .describe(
      'Expected hours until a person decides, shown to authors until there are enough decisions to measure it.',
    ),
  REVIEW_FEE_RETURN_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(2_160)
    .default(72)
    .describe('Hours in review after which the fee for a post is refunded. The post stays in review.'),

  SECRETS_KEYS: secretKeys.describe(
    'Keys that encrypt stored secrets: name:key, separated by spaces. The first key encrypts; all keys decrypt. ' +
      'Generate a key with `openssl rand -base64 32`.',
  ),
  OUTBOUND_REFUSED_RANGES: addressRanges
    .optional()
    .describe(
      'Ranges of the operator’s public addresses, which webhooks, metadata documents of apps and files of domains must never reach.',
    ),
  OUTBOUND_DNS_SERVERS: serverAddresses
    .optional()
    .describe(
      'DNS servers that resolve the hosts of webhook endpoints, apps and domains: addresses, optionally with a port. The system’s servers by default.',
    ),
  OUTBOUND_CERTIFICATE_AUTHORITIES: z
    .string()
    .min(1)
    .optional()
    .describe('PEM file with additional certificate authorities to trust for webhook endpoints, apps and domains.'),
  OUTBOUND_TEST_RANGES: addressRanges
    .optional()
    .describe('For tests: ranges of non-public addresses that webhooks may reach. Not allowed in production.'),

  SMTP_URL: smtpUrl.describe(
    'Mail server: smtps://user:password@host:port, or smtp:// to connect without TLS and upgrade with STARTTLS. ' +
      'A password is sent only over TLS, or to this machine.',
  ),
  MAIL_FROM: sender.describe('Sender of emails: Name <address>, or an address.'),
  MAIL_BOUNCE_ADDRESS: mailAddress
    .optional()
    .describe('Address that receives bounces; the address in MAIL_FROM by default.'),
  MAIL_DKIM_DOMAIN: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)
    .optional()
    .describe(
      'Domain to sign emails for (DKIM), if the mail server does not sign them. Requires MAIL_DKIM_SELECTOR and MAIL_DKIM_KEY.',
    ),
  MAIL_DKIM_SELECTOR: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/)
    .optional()
    .describe('DKIM selector. The DNS record with the public key is <selector>._domainkey.<domain>.'),
  MAIL_DKIM_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('Private key that signs emails, as PEM text or the path of a PEM file: RSA, at least 2,048 bits.'),

  ...paymentDriverSettings,

  ...contactSettings,
  ...cdnSettings,
  ...observabilitySettings,
} satisfies Record<string, z.ZodType>

export type SettingName = keyof typeof settings
export type Settings<Name extends SettingName = SettingName> = { [Key in Name]: z.output<(typeof settings)[Key]> }

/** `code`: the system's code if the file of the setting cannot be read. */
type SettingFault = { name: SettingName; fault: string; code?: string }

/**
 * Lists everything that is missing or invalid in one message, so that operators can fix all settings before the next
 * start.
 */
export class SettingsError extends Error {
  readonly faults: readonly SettingFault[]

  constructor(message: string, faults: readonly SettingFault[] = []) {
    super(message)
    this.faults = faults
  }
}

export function readSettings<const Name extends SettingName>(
  environment: NodeJS.ProcessEnv,
  names: readonly Name[],
): Settings<Name> {
  const faults: SettingFault[] = []
  const values: Record<string, unknown> = {}
  for (const name of names) {
    const { value: given, fault: unreadable, code } = readGiven(environment, name)
    const fault = unreadable ?? (given && !isForTrying(environment) && productionRules[name]?.(given))
    if (fault) {
      faults.push({ name, fault: `${fault}. ${settings[name].description}`, ...(code && { code }) })
      continue
    }
    const read = settings[name].safeParse(given)
    if (read.success) values[name] = read.data
    else faults.push({ name, fault: `${given ? 'invalid' : 'missing'}. ${settings[name].description}` })
  }
  if (faults.length > 0) {
    const lines = faults.map(({ name, fault }) => `  ${name}: ${fault}`)
    throw new SettingsError(`Invalid settings:\n${lines.join('\n')}`, faults)
  }
  return values as Settings<Name>
}

/** A missing BROADSIDE_ENVIRONMENT counts as production. */
function isForTrying(environment: NodeJS.ProcessEnv): boolean {
  const { value } = readGiven(environment, 'BROADSIDE_ENVIRONMENT')
  return value === 'development' || value === 'test'
}
