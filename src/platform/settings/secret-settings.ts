import type { SettingName } from './settings.ts'

/**
 * The settings that nobody but the operator and the processes that read them may know. In production each is a file;
 * docs/runbooks/secrets.md says how to rotate each.
 */
export const secretSettings = [
  'ADMIN_DATABASE_URL',
  'MIGRATOR_DATABASE_URL',
  'API_DATABASE_URL',
  'WORKER_DATABASE_URL',
  'OWNER_PAGE_DATABASE_URL',
  'DESK_DATABASE_URL',
  'OPERATOR_DATABASE_URL',
  'READER_DATABASE_URL',
  'BACKUP_DATABASE_URL',
  'API_REPLICA_DATABASE_URL',
  'DESK_REPLICA_DATABASE_URL',
  'SECRETS_KEYS',
  'POST_SIGNING_KEYS',
  'LOG_SIGNING_KEY',
  'GATEWAY_SECRET',
  'DESK_SECRET',
  'SMTP_URL',
  'MAIL_DKIM_KEY',
  'MODEL_API_KEY',
  'PAGES_S3_SECRET_KEY',
  'MODEL_DRIVER_TOKEN',
  'JUDGE_API_KEY',
  'CDN_TOKEN',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
] as const satisfies readonly SettingName[]

export type SecretSetting = (typeof secretSettings)[number]
