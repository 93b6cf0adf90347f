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
  summary: 'Brings the schema and the queues up to date.',
  details:
    'Applies the migrations that are missing, each in a transaction of its own, and makes the queues of the jobs as the ' +
    'program has them. Safe to run from many places at once.',
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
    'Run once by a server administrator. Takes names and passwords from the addresses of the roles; safe to repeat.',
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
