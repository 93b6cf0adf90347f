import { z } from 'zod'
import { modelSettings } from './model-settings.ts'
import {
  accountKey,
  addressRanges,
  databaseUrl,
  filePath,
  keyedOrigin,
  listenAddresses,
  mailAddress,
  ownSecrets,
  port,
  secretKeys,
  sender,
  serverAddresses,
  signingSecrets,
  sites,
  smtpUrl,
} from './setting-values.ts'

/**
 * Every setting there is. Each process reads the ones it needs, once, at its start, from the environment.
 * `npm run broadside -- settings` prints this table.
 */
export const settings = {
  BROADSIDE_ENVIRONMENT: z
    .enum(['development', 'test', 'production'])
    .describe('production refuses the development clock and the test words in posts.'),
  SITES: sites.describe('The address of each kind of post: message=https://… story=https://… separated by spaces.'),
  ACCOUNT_PAGE_URL: z
    .url()
    .regex(/^https?:\/\/[^/?#]+$/)
    .describe('The origin of the owner page, without a path; no user content is ever shown there.'),
  DESK_URL: z
    .url()
    .regex(/^https?:\/\/[^/?#]+$/)
    .describe('The origin of the desk, where staff decide, without a path. Passkeys belong to its host.'),

  PAGES_DIRECTORY: z
    .string()
    .min(1)
    .describe('Where the pages of the sites are written, and the gateway finds them: a folder for each site.'),

  API_DATABASE_URL: databaseUrl.describe('PostgreSQL as broadside_api.'),
  WORKER_DATABASE_URL: databaseUrl.describe('PostgreSQL as broadside_worker.'),
  OWNER_PAGE_DATABASE_URL: databaseUrl.describe('PostgreSQL as broadside_owner_page.'),
  DESK_DATABASE_URL: databaseUrl.describe('PostgreSQL as broadside_desk.'),
  OPERATOR_DATABASE_URL: databaseUrl.describe('PostgreSQL as broadside_operator; for the operator’s commands only.'),
  READER_DATABASE_URL: databaseUrl.describe(
    'PostgreSQL as broadside_reader; for `ledger verify`, `audit verify` and `decisions export`.',
  ),
  MIGRATOR_DATABASE_URL: databaseUrl.describe('PostgreSQL as broadside_migrator, the owner of the schema.'),
  ADMIN_DATABASE_URL: databaseUrl.describe('A server administrator; for `database prepare` only.'),
  // Outside production one connection only listens for the clock, and one of a worker only says that it is alive.
  DATABASE_POOL_MAX: z.coerce
    .number()
    .int()
    .min(4)
    .max(200)
    .default(16)
    .describe('Connections a process may hold; the API holds half as many more for searches.'),

  LISTEN_HOST: z.string().default('127.0.0.1').describe('The address to listen on. The gateway is the only caller.'),
  API_PORT: port.default(4101).describe('The first API process listens here; the next ones on the ports that follow.'),
  API_HEALTH_PORT: port.default(4201).describe('/healthz, /readyz and /metrics of the first API process.'),
  API_PROCESSES: z.coerce.number().int().min(1).max(64).default(2).describe('How many of them `npm start` runs.'),
  OWNER_PAGE_PORT: port.default(4110).describe('The owner page listens here.'),
  OWNER_PAGE_HEALTH_PORT: port.default(4210).describe('/healthz, /readyz and /metrics of the owner page.'),
  DESK_PORT: port.default(4120).describe('The desk listens here.'),
  DESK_HEALTH_PORT: port.default(4220).describe('/healthz, /readyz and /metrics of the desk.'),
  DESK_SECRET: ownSecrets.describe(
    'By what the desk knows the challenges that it made for passkeys: 32 characters or more, for the desk alone. ' +
      'Two while it is exchanged, with a comma between them: the first proves, both are believed. ' +
      '`openssl rand -base64 32` makes one.',
  ),
  GATEWAY_LISTEN: listenAddresses
    .default(['443'])
    .describe('Where the gateway takes HTTPS: ports, or addresses with a port, separated by spaces.'),
  GATEWAY_CERTIFICATE: filePath.describe('The certificate of all hosts with its chain, a PEM file.'),
  GATEWAY_CERTIFICATE_KEY: filePath.describe('The private key of that certificate, a PEM file.'),
  GATEWAY_USER: z
    .string()
    .regex(/^[a-z_][a-z0-9_-]{0,31}$/)
    .default('www-data')
    .describe('Whom the workers of the gateway run as; it must be able to read PAGES_DIRECTORY.'),
  GATEWAY_TRUSTED_PROXIES: addressRanges
    .optional()
    .describe('Addresses of proxies before the gateway, whose X-Forwarded-For is believed.'),
  GATEWAY_SECRET: ownSecrets.describe(
    'By what the API knows the gateway, and believes it who called: 32 characters or more. ' +
      'Two while it is exchanged, with a comma between them: the gateway sends the first, the API takes both. ' +
      '`openssl rand -base64 32` makes one.',
  ),
  WORKER_HEALTH_PORT: port.default(4221).describe('/healthz, /readyz and /metrics of the first worker process.'),
  WORKER_PROCESSES: z.coerce.number().int().min(1).max(64).default(1).describe('How many of them `npm start` runs.'),
  SHUTDOWN_GRACE_SECONDS: z.coerce
    .number()
    .int()
    .min(1)
    .max(60)
    .default(10)
    .describe('How long requests in flight may take to finish after SIGTERM.'),

  ...modelSettings,

  ACCOUNTS_PER_ADDRESS_PER_DAY: z.coerce
    .number()
    .int()
    .min(0)
    .optional()
    .describe('Accounts one address may create in a UTC day, if not 100; 0 means no limit.'),

  REVIEW_EXPECTED_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(336)
    .default(24)
    .describe('When a decision by a person is expected, said to authors while too few were made to measure it.'),
  REVIEW_FEE_RETURN_HOURS: z.coerce
    .number()
    .int()
    .min(1)
    .max(2_160)
    .default(72)
    .describe('After how long in review the fee of a post is returned. The post keeps waiting.'),

  SECRETS_KEYS: secretKeys.describe(
    'The keys that stored secrets are encrypted with: name:key separated by spaces. The first encrypts, all decrypt. ' +
      '`openssl rand -base64 32` makes a key.',
  ),
  OUTBOUND_REFUSED_RANGES: addressRanges
    .optional()
    .describe('Public addresses of the operator’s own that webhooks must never reach, as ranges.'),
  OUTBOUND_DNS_SERVERS: serverAddresses
    .optional()
    .describe(
      'Who is asked for the addresses of receivers, if not the machine’s own servers: addresses, with a port or not.',
    ),
  OUTBOUND_CERTIFICATE_AUTHORITIES: z
    .string()
    .min(1)
    .optional()
    .describe('A PEM file with authorities that may certify receivers besides the public ones.'),
  OUTBOUND_TEST_RANGES: addressRanges
    .optional()
    .describe('For tests: ranges that webhooks may reach although they are not public. Refused in production.'),

  SMTP_URL: smtpUrl.describe(
    'The mail server: smtps://user:password@host:port, or smtp:// for one that starts without TLS. ' +
      'A password is not sent before TLS, but to this machine.',
  ),
  MAIL_FROM: sender.describe('Whom mail comes from: Name <address>, or an address.'),
  MAIL_BOUNCE_ADDRESS: mailAddress
    .optional()
    .describe('Where mail that cannot be delivered comes back to; the address of MAIL_FROM when it is not set.'),
  MAIL_DKIM_DOMAIN: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/)
    .optional()
    .describe(
      'Signs mail for this domain (DKIM), if the mail server does not: with MAIL_DKIM_SELECTOR and MAIL_DKIM_KEY.',
    ),
  MAIL_DKIM_SELECTOR: z
    .string()
    .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)*$/)
    .optional()
    .describe('The public key stands at this name before ._domainkey. and the domain.'),
  MAIL_DKIM_KEY: z
    .string()
    .min(1)
    .optional()
    .describe('The private key that signs mail: a PEM file, RSA of 2,048 bits or more.'),

  PAYMENTS_DRIVER: z
    .enum(['stripe', 'manual'])
    .default('manual')
    .describe('How owners pay: by card through Stripe, or as the operator tells them, who then confirms each payment.'),
  PAYMENTS_INSTRUCTIONS: z
    .string()
    .max(2_000)
    .default('Write to the operator of this service. Your balance grows when the payment has arrived.')
    .describe('For the driver manual: what owners are told about how to pay.'),
  STRIPE_SECRET_KEY: accountKey
    .optional()
    .describe('For the driver stripe: the secret key, sk_test_… or sk_live_…, or a restricted one, rk_….'),
  STRIPE_WEBHOOK_SECRET: signingSecrets
    .optional()
    .describe(
      'For the driver stripe: by what Stripe signs its calls, whsec_…. Two while it is exchanged, separated by a space.',
    ),
  STRIPE_API_URL: keyedOrigin.default('https://api.stripe.com').describe('For the driver stripe: where its API is.'),
  STRIPE_CHECKOUT_ORIGIN: z
    .string()
    .regex(/^https?:\/\/[^/?#\s]+$/)
    .default('https://checkout.stripe.com')
    .describe('For the driver stripe: where its pages are that owners are sent to.'),

  CONTACT_EMAIL: z
    .email()
    .optional()
    .describe('Shown on the sites for questions; hello@ and the host of ACCOUNT_PAGE_URL when it is not set.'),
  SECURITY_CONTACT: z
    .url({ protocol: /^(https|mailto)$/ })
    .optional()
    .describe('Where weaknesses are reported, a mailto: or https: address; CONTACT_EMAIL when it is not set.'),

  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info').describe('What is logged.'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional().describe('Where traces go; none are kept when it is not set.'),
} satisfies Record<string, z.ZodType>

export type SettingName = keyof typeof settings
export type Settings<Name extends SettingName = SettingName> = { [Key in Name]: z.output<(typeof settings)[Key]> }

const neverInProduction: readonly SettingName[] = ['OUTBOUND_TEST_RANGES']

/** All that is missing or wrong, in one message: nobody should meet them one start at a time. */
export class SettingsError extends Error {}

export function readSettings<const Name extends SettingName>(
  environment: NodeJS.ProcessEnv,
  names: readonly Name[],
): Settings<Name> {
  const faults: string[] = []
  const values: Record<string, unknown> = {}
  for (const name of names) {
    const given = environment[name]
    if (given && neverInProduction.includes(name) && !isForTrying(environment)) {
      faults.push(`  ${name}: not allowed. ${settings[name].description}`)
      continue
    }
    const read = settings[name].safeParse(given === '' ? undefined : given)
    if (read.success) values[name] = read.data
    else faults.push(`  ${name}: ${given ? 'not valid' : 'missing'}. ${settings[name].description}`)
  }
  if (faults.length > 0) throw new SettingsError(`These settings must be put right:\n${faults.join('\n')}`)
  return values as Settings<Name>
}

/** No environment at all counts as production. */
const isForTrying = ({ BROADSIDE_ENVIRONMENT: name }: NodeJS.ProcessEnv) => name === 'development' || name === 'test'
