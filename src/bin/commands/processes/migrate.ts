import { prepareQueues } from '../../../jobs/prepare-queues.ts'
import {
  asAdministrator,
  createDatabase,
  createRoles,
  type DatabaseRole,
  databaseExists,
  databaseRoles,
  type RolePasswords,
} from '../../../platform/database/database-setup.ts'
import { migrate, readMigrations } from '../../../platform/database/migrations.ts'
import { readSettings, type SettingName } from '../../../platform/settings/settings.ts'
import { type Command, printJson } from '../../command.ts'

const migrateCommand: Command = {
  usage: 'migrate',
  summary: 'Updates the schema and the queues.',
  details:
    'Applies missing migrations, each in a separate transaction, and configures the job queues as the ' +
    'program defines them. Safe to run from several machines at the same time.',
  run: async ({ environment }) => {
    const { MIGRATOR_DATABASE_URL } = readSettings(environment, ['MIGRATOR_DATABASE_URL'])
    const applied = await migrate(MIGRATOR_DATABASE_URL, await readMigrations(), new Date())
    await prepareQueues(MIGRATOR_DATABASE_URL)
    printJson({ applied })
  },
}

const roleSettings = {
  migrator: 'MIGRATOR_DATABASE_URL',
  api: 'API_DATABASE_URL',
  worker: 'WORKER_DATABASE_URL',
  owner_page: 'OWNER_PAGE_DATABASE_URL',
  desk: 'DESK_DATABASE_URL',
  operator: 'OPERATOR_DATABASE_URL',
  reader: 'READER_DATABASE_URL',
} as const satisfies Record<DatabaseRole, SettingName>

const prepareDatabase: Command = {
  usage: 'database prepare',
  summary: 'Creates the database and its roles.',
  details:
    'A server administrator runs it once. It reads names and passwords from the database URLs of the roles. It is safe to repeat.',
  run: async ({ environment }) => {
    const settings = readSettings(environment, ['ADMIN_DATABASE_URL', ...Object.values(roleSettings)])
    const passwordOf = (role: DatabaseRole) => decodeURIComponent(new URL(settings[roleSettings[role]]).password)
    const passwords = Object.fromEntries(databaseRoles.map((role) => [role, passwordOf(role)])) as RolePasswords
    const database = new URL(settings.MIGRATOR_DATABASE_URL).pathname.slice(1)
    await asAdministrator(settings.ADMIN_DATABASE_URL, async (admin) => {
      await createRoles(admin, passwords, 'change')
      const exists = await databaseExists(admin, database)
      if (!exists) await createDatabase(settings.ADMIN_DATABASE_URL, database)
      printJson({ database, created: !exists, roles: databaseRoles.map((role) => `broadside_${role}`) })
    })
  },
}

export const commands: readonly Command[] = [prepareDatabase, migrateCommand]
