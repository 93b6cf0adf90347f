import { randomBytes } from 'node:crypto'
import { existsSync, linkSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ceilings, platformBurst } from '../../src/contract/limits.ts'
import { kinds } from '../../src/kinds/index.ts'
import type { SettingName } from '../../src/platform/settings/settings.ts'
import type { RoleUrls } from './databases.ts'
import { stateDir } from './state.ts'

/** The origins of development: one port each, so that no cookie lives where user content is shown. */
export const ports = {
  ownerPage: 4000,
  firstSite: 4001,
  desk: 4005,
  inbox: 4006,
  paymentProvider: 4007,
  smtp: 2525,
  workerHealth: 4221,
} as const

const program = fileURLToPath(new URL('../../src/bin/broadside.ts', import.meta.url))

const host = (port: number) => `http://localhost:${port}`

export const sites = kinds.map((kind, index) => ({
  kind,
  port: ports.firstSite + index,
  baseUrl: host(ports.firstSite + index),
}))
export const accountPageUrl = host(ports.ownerPage)
export const deskUrl = host(ports.desk)

export const gateway = { requestsPerSecond: ceilings.platform.max, burst: platformBurst }

/** The settings that the processes of development run with. */
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
    API_PORT: '4101',
    API_HEALTH_PORT: '4201',
    API_PROCESSES: '2',
    OWNER_PAGE_PORT: '4110',
    OWNER_PAGE_HEALTH_PORT: '4210',
    DESK_PORT: '4120',
    DESK_HEALTH_PORT: '4220',
    WORKER_HEALTH_PORT: String(ports.workerHealth),
    WORKER_PROCESSES: '1',
    MODEL_PORT: '4301',
    MODEL_URL: 'http://127.0.0.1:4301',
    // A stand-in that obeys test words.
    JUDGE_URL: 'http://127.0.0.1:4301',
    MODEL_DRIVER: 'command',
    MODEL_COMMAND: `'${process.execPath}' '${program}' model`,
    MODEL_IDLE_SECONDS: '300',
    // The model that ships is there in a second or two.
    MODEL_START_SECONDS: '5',
    ACCOUNTS_PER_ADDRESS_PER_DAY: '0',
    SECRETS_KEYS: secretsKeysIn(folder),
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

/** The key of this checkout. It stays, as what it has sealed stays in the database. */
export const secretsKeysIn = (folder: string) =>
  madeOnce(join(folder, 'secrets-keys'), () => `development:${newSecret()}`)

/** By what the API processes of this checkout know its gateway, which may have been started by another command. */
const gatewaySecretIn = (folder: string) => madeOnce(join(folder, 'gateway-secret'), newSecret)

/** By what the desk of this checkout knows its own challenges, also after it was started again. */
const deskSecretIn = (folder: string) => madeOnce(join(folder, 'desk-secret'), newSecret)

/** By what the double of the payment provider signs its calls. */
const providerSecretIn = (folder: string) => madeOnce(join(folder, 'provider-secret'), () => `whsec_${newSecret()}`)

/** What nobody can guess: a value of GATEWAY_SECRET or DESK_SECRET, or of a key. */
export const newSecret = () => randomBytes(32).toString('base64')

/** What the file says, made by whoever asks first. */
function madeOnce(file: string, make: () => string): string {
  if (!existsSync(file)) {
    const draft = `${file}.${randomBytes(8).toString('hex')}`
    writeFileSync(draft, make(), { mode: 0o600, flag: 'wx' })
    linkUnlessThere(draft, file)
    rmSync(draft)
  }
  return readFileSync(file, 'utf8')
}

// Test processes start at the same moment. A link appears whole and only once: the second to come takes the first one's.
function linkUnlessThere(from: string, to: string): void {
  try {
    linkSync(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
