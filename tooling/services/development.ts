import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { usualLimits } from '../../src/bin/gateway/limit-values.ts'
import { ceilings, platformBurst } from '../../src/contract/limits.ts'
import { kinds } from '../../src/kinds/index.ts'
import type { SettingName } from '../../src/platform/settings/settings.ts'
import type { RoleUrls } from './databases.ts'
import { stateDir } from './state.ts'

/** The origins in development. Each has its own port, so that no cookie is set on an origin with user content. */
export const ports = {
  ownerPage: 4000,
  desk: 4005,
  inbox: 4006,
  paymentProvider: 4007,
  smtp: 2525,
  workerHealth: 4221,
} as const

/** The ports of sites: 4001 to 4004, and from the fifth on those after the other origins. */
export const sitePort = (index: number) => (index < 4 ? 4001 : 4004) + index

const program = fileURLToPath(new URL('../../src/bin/broadside.ts', import.meta.url))

const host = (port: number) => `http://localhost:${port}`

export const sites = kinds.map((kind, index) => ({
  kind,
  port: sitePort(index),
  baseUrl: host(sitePort(index)),
}))
export const accountPageUrl = host(ports.ownerPage)
export const deskUrl = host(ports.desk)

export const gateway = { requestsPerSecond: ceilings.platform.max, burst: platformBurst, limits: usualLimits }

/** The settings of the development processes. */
export function developmentSettings(adminUrl: string, urls: RoleUrls): Partial<Record<SettingName, string>> {
  const folder = stateDir()
  return {
    BROADSIDE_ENVIRONMENT: 'development',
    SITES: sites.map(({ kind, baseUrl }) => `${kind.name}=${baseUrl}`).join(' '),
    ACCOUNT_PAGE_URL: accountPageUrl,
    DESK_URL: deskUrl,
    PAGES_DIRECTORY: join(folder, 'www'),
    ADMIN_DATABASE_URL: adminUrl,
    MIGRATOR_DATABASE_URL: urls.migrator,
    API_DATABASE_URL: urls.api,
    WORKER_DATABASE_URL: urls.worker,
    OWNER_PAGE_DATABASE_URL: urls.owner_page,
    DESK_DATABASE_URL: urls.desk,
    OPERATOR_DATABASE_URL: urls.operator,
    READER_DATABASE_URL: urls.reader,
    BACKUP_DATABASE_URL: urls.backup,
    ERASURE_LOG: join(folder, 'erasures'),
    API_PORT: '4101',
    API_HEALTH_PORT: '4201',
    API_PROCESSES: '2',
    OWNER_PAGE_PORT: '4110',
    OWNER_PAGE_HEALTH_PORT: '4210',
    DESK_PORT: '4120',
    DESK_HEALTH_PORT: '4220',
    CARDS_PORT: '4140',
    CARDS_HEALTH_PORT: '4240',
    WORKER_HEALTH_PORT: String(ports.workerHealth),
    WORKER_PROCESSES: '1',
    MODEL_PORT: '4301',
    MODEL_URL: 'http://127.0.0.1:4301',
    // A stub that detects test words.
    JUDGE_URL: 'http://127.0.0.1:4301',
    MODEL_DRIVER: 'command',
    MODEL_COMMAND: `'${process.execPath}' '${program}' model`,
    MODEL_IDLE_SECONDS: '300',
    // The shipped model starts in a second or two.
    MODEL_START_SECONDS: '5',
    ACCOUNTS_PER_ADDRESS_PER_DAY: '0',
    SECRETS_KEYS: secretsKeysIn(folder),
    POST_SIGNING_KEYS: keyIn(folder, 'post-signing-keys'),
    LOG_SIGNING_KEY: keyIn(folder, 'log-signing-key'),
    GATEWAY_SECRET: gatewaySecretIn(folder),
    DESK_SECRET: deskSecretIn(folder),
    SMTP_URL: `smtp://127.0.0.1:${ports.smtp}`,
    MAIL_FROM: 'Broadside <hello@localhost>',
    PAYMENTS_DRIVER: 'stripe',
    STRIPE_SECRET_KEY: 'sk_test_development',
    STRIPE_WEBHOOK_SECRET: providerSecretIn(folder),
    STRIPE_API_URL: `http://127.0.0.1:${ports.paymentProvider}`,
    STRIPE_CHECKOUT_ORIGIN: host(ports.paymentProvider),
  }
}

/** The encryption key of this checkout. It is kept, because the database contains data encrypted with it. */
const secretsKeysIn = (folder: string) => keyIn(folder, 'secrets-keys')

/** A named key of this checkout, kept across restarts. */
const keyIn = (folder: string, name: string) => madeOnce(join(folder, name), () => `development:${newSecret()}`)

/**
 * The secret that authenticates the gateway of this checkout to its API processes. It is kept, because another command
 * may have started the gateway.
 */
const gatewaySecretIn = (folder: string) => madeOnce(join(folder, 'gateway-secret'), newSecret)

/** The secret that signs the desk's passkey challenges, kept across restarts. */
const deskSecretIn = (folder: string) => madeOnce(join(folder, 'desk-secret'), newSecret)

/** The secret that the simulated payment provider uses to sign its webhooks. */
const providerSecretIn = (folder: string) => madeOnce(join(folder, 'provider-secret'), () => `whsec_${newSecret()}`)

/** A random secret: a value of GATEWAY_SECRET, DESK_SECRET or a key. */
export const newSecret = () => randomBytes(32).toString('base64')

/** The content of a file, which the first caller creates. */
function madeOnce(file: string, make: () => string): string {
  if (!existsSync(file)) {
    const draft = `${file}.${randomBytes(8).toString('hex')}`
    writeFileSync(draft, make(), { mode: 0o600, flag: 'wx' })
    linkUnlessThere(draft, file)
    rmSync(draft)
  }
  return readFileSync(file, 'utf8')
}

// Test processes start at the same time. Creating a link is atomic and succeeds only once, so later processes use the
// file of the first one.
function linkUnlessThere(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
