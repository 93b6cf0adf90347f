import { databaseUrl, filePath } from '../setting-values.ts'

/** The settings of backups and of what a restore must not bring back. */
export const backupSettings = {
  BACKUP_DATABASE_URL: databaseUrl.describe(
    'PostgreSQL URL for the role broadside_backup, which can read everything and change nothing; for `pg_dump`.',
  ),
  ERASURE_LOG: filePath
    .optional()
    .describe(
      'Directory of the erasure log, outside the database and its backups. Workers add what must not come back after a restore; `erasures replay` repeats it. Required in production.',
    ),
}
