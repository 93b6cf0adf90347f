import { prepareQueues } from '../../../jobs/prepare-queues.ts'
import {
  admitNewRoles,
  asAdministrator,
  createDatabase,
  createRoles,
  type DatabaseRole,
  databaseExists,
  databaseRoles,
  type RolePasswords,
} from '../../../platform/database/database-setup.ts'
import { readMigrations } from '../../../platform/database/migration-files.ts'
import { migrate, readSchemaStatus } from '../../../platform/database/migrations.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type Command, printJson } from '../../command.ts'
import { roleSettings } from '../../new-secrets.ts'

const migrateCommand: Command = {
  usage: 'migrate',
  summary: 'Updates the schema and the queues.',
  details:
    'Run it before you deploy a new version, and with --after-deploy when every process runs that version. ' +
    'It applies missing migrations one at a time and configures the job queues as the program defines them. ' +
    'Safe to run from several machines at the same time, and to repeat if it was interrupted.',
  options: {
    'after-deploy': { type: 'boolean', description: 'Also apply the migrations that wait until the deploy is done.' },
  },
  run: async ({ environment, flags }) => {
    const { MIGRATOR_DATABASE_URL } = readSettings(environment, ['MIGRATOR_DATABASE_URL'])
    const migrations = await readMigrations()
    const through = flags['after-deploy'] ? 'after' : 'before'
    const applied = await migrate(MIGRATOR_DATABASE_URL, migrations, new Date(), { through })
    await prepareQueues(MIGRATOR_DATABASE_URL)
    const { waiting_after_deploy } = await readSchemaStatus(MIGRATOR_DATABASE_URL, migrations)
    printJson({ applied, waiting_after_deploy })
  },
}

const showStatus: Command = {
  usage: 'database status',
  summary: 'Shows the schema, the migrations that wait, and processes of older versions.',
  details:
    'Prints one line of JSON. A program can start if its schema number is at least works_with. ' +
    'older_processes lists only processes that have a connection at this moment.',
  run: async ({ environment }) => {
    const { MIGRATOR_DATABASE_URL } = readSettings(environment, ['MIGRATOR_DATABASE_URL'])
    printJson(await readSchemaStatus(MIGRATOR_DATABASE_URL, await readMigrations()))
  },
}

const prepareDatabase: Command = {
  usage: 'database prepare',
  summary: 'Creates the database and its roles.',
  details:
    'A server administrator runs it once. It reads names and passwords from the database URLs of the roles. It is safe to repeat. ' +
    'As the system user postgres, use ADMIN_DATABASE_URL=postgres://postgres@localhost/postgres?host=/var/run/postgresql.',
  run: async ({ environment }) => {
    const settings = readSettings(environment, ['ADMIN_DATABASE_URL', ...Object.values(roleSettings)])
    const passwordOf = (role: DatabaseRole) => decodeURIComponent(new URL(settings[roleSettings[role]]).password)
    const passwords = Object.fromEntries(databaseRoles.map((role) => [role, passwordOf(role)])) as RolePasswords
    const database = new URL(settings.MIGRATOR_DATABASE_URL).pathname.slice(1)
    await asAdministrator(settings.ADMIN_DATABASE_URL, async (admin) => {
      await createRoles(admin, passwords, 'change')
      const exists = await databaseExists(admin, database)
      if (exists) await admitNewRoles(settings.ADMIN_DATABASE_URL, database)
      else await createDatabase(settings.ADMIN_DATABASE_URL, database)
      printJson({ database, created: !exists, roles: databaseRoles.map((role) => `broadside_${role}`) })
    })
  },
}

export const commands: readonly Command[] = [prepareDatabase, migrateCommand, showStatus]
