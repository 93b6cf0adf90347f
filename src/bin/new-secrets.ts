import type { DatabaseRole } from '../platform/database/database-setup.ts'
import type { SecretSetting } from '../platform/settings/secret-settings.ts'

type Place = { host: string; port: string; name: string }
type Random = (bytes: number) => Buffer

/** The setting with the database URL of each role. */
export const roleSettings = {
  migrator: 'MIGRATOR_DATABASE_URL',
  api: 'API_DATABASE_URL',
  worker: 'WORKER_DATABASE_URL',
  owner_page: 'OWNER_PAGE_DATABASE_URL',
  desk: 'DESK_DATABASE_URL',
  operator: 'OPERATOR_DATABASE_URL',
  reader: 'READER_DATABASE_URL',
  backup: 'BACKUP_DATABASE_URL',
} as const satisfies Record<DatabaseRole, SecretSetting>

/** A password that needs no escaping in a URL. */
export const newPassword = (random: Random) => random(32).toString('base64url')

/** The secrets that an installation chooses itself. Others come from a mail server, a payment provider and so on. */
export function newSecrets(database: Place, at: Date, random: Random): Map<SecretSetting, string> {
  const secret = () => random(32).toString('base64')
  const named = (key: string) => `${at.toISOString().slice(0, 7)}:${key}`
  const urls = Object.entries(roleSettings).map(([role, setting]): [SecretSetting, string] => {
    const login = `broadside_${role}:${newPassword(random)}`
    return [setting, `postgres://${login}@${database.host}:${database.port}/${database.name}`]
  })
  return new Map<SecretSetting, string>([
    ...urls,
    ['SECRETS_KEYS', named(secret())],
    ['POST_SIGNING_KEYS', named(secret())],
    ['LOG_SIGNING_KEY', named(secret())],
    ['GATEWAY_SECRET', secret()],
    ['DESK_SECRET', secret()],
  ])
}
