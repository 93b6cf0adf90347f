import { z } from 'zod'
import { filePath } from '../setting-values.ts'

/** Settings that only operator commands read: where other programs keep what belongs to this installation. */
export const operatorSettings = {
  SERVICE_USER: z
    .string()
    .regex(/^[a-z_][a-z0-9_-]{0,31}$/)
    .default('broadside')
    .describe('User that the processes run as; for `doctor`.'),
  GATEWAY_DIRECTORY: filePath
    .default('/run/broadside-gateway')
    .describe('Directory with the gateway’s configuration, as given to `gateway`; for `doctor`.'),
  BACKUP_STANZA: z
    .string()
    .regex(/^[\w.-]{1,64}$/)
    .optional()
    .describe('pgBackRest stanza with the backups of the database; for `doctor`. Without it, backups are not checked.'),
  PATRONI_CONFIG: filePath
    .optional()
    .describe('Configuration file of Patroni on this machine; for `doctor`. By default /etc/patroni/config.yml.'),
}
