import { createHash, randomBytes } from 'node:crypto'
import pg from 'pg'
import { prepareQueues } from '../../src/jobs/prepare-queues.ts'
import { queues } from '../../src/jobs/queues.ts'
import {
  asAdministrator,
  createDatabase,
  createRoles,
  type DatabaseRole,
  databaseExists,
  databaseRoles,
  type RolePasswords,
  urlFor,
} from '../../src/platform/database/database-setup.ts'
import { type Migration, readMigrations } from '../../src/platform/database/migration-files.ts'
import { migrate } from '../../src/platform/database/migrations.ts'
import { startPostgres } from './postgres.ts'
import { patienceMs, withLock } from './state.ts'

export type RoleUrls = Record<DatabaseRole, string>

/** Passwords for servers that only this machine can reach. A deployment sets its own. */
const password = 'broadside'
const passwords = Object.fromEntries(databaseRoles.map((role) => [role, password])) as RolePasswords

const roleUrls = (adminUrl: string, database: string) =>
  Object.fromEntries(databaseRoles.map((name) => [name, urlFor(adminUrl, database, { name, password })])) as RoleUrls

/** The database of `npm run dev`. */
export const developmentDatabaseName = 'broadside'

/** A permanent database: created if missing, and migrated. */
export async function developmentDatabase(adminUrl: string, name = developmentDatabaseName): Promise<RoleUrls> {
  await asAdministrator(adminUrl, async (admin) => {
    await createRoles(admin, passwords, 'keep')
    if (!(await databaseExists(admin, name))) await createDatabase(adminUrl, name)
  })
  const urls = roleUrls(adminUrl, name)
  await migrateOrExplain(urls.migrator, await readMigrations())
  return urls
}

export type OwnDatabase = { adminUrl: string; urls: RoleUrls } & AsyncDisposable

/** A temporary database with the current schema and no data, dropped when it leaves scope. */
export async function migratedDatabase(purpose: string): Promise<OwnDatabase> {
  const { adminUrl } = await startPostgres()
  const name = `broadside_${purpose}_${randomBytes(4).toString('hex')}`
  const migrations = await readMigrations()
  const template = templateName(migrations)
  await withLock(`template ${adminUrl}`, () =>
    asAdministrator(adminUrl, async (admin) => {
      if (!(await databaseExists(admin, template))) await makeTemplate(admin, adminUrl, template, migrations)
      await createDatabase(adminUrl, name, template)
    }),
  )
  return ownDatabase(adminUrl, name)
}

/** A temporary database without any schema. */
export async function emptyDatabase(purpose: string): Promise<OwnDatabase> {
  const { adminUrl } = await startPostgres()
  const name = `broadside_${purpose}_${randomBytes(4).toString('hex')}`
  await withLock(`template ${adminUrl}`, () =>
    asAdministrator(adminUrl, async (admin) => {
      await createRoles(admin, passwords, 'keep')
      await createDatabase(adminUrl, name)
    }),
  )
  return ownDatabase(adminUrl, name)
}

export function ownDatabase(adminUrl: string, name: string): OwnDatabase {
  const drop = () =>
    asAdministrator(adminUrl, (admin) => admin.query(`drop database ${pg.escapeIdentifier(name)} with (force)`))
  return {
    adminUrl: urlFor(adminUrl, name),
    urls: roleUrls(patient(adminUrl), name),
    [Symbol.asyncDispose]: async () => void (await drop()),
  }
}

/** A busy machine may take far longer than the default to open a connection. */
function patient(adminUrl: string): string {
  const url = new URL(adminUrl)
  url.searchParams.set('connect_timeout', String(patienceMs / 1_000))
  return url.href
}

/** For tests in which this timeout ends the wait. */
export function withDefaultConnectTimeout(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.delete('connect_timeout')
  return url.href
}

/** The template is named by a hash of its sources, so a changed migration or job list gets a new one. */
const templateName = (migrations: readonly Migration[]) => {
  const hash = createHash('sha256')
  for (const { checksum } of migrations) hash.update(checksum)
  hash.update(JSON.stringify(queues))
  return `broadside_template_${hash.digest('hex').slice(0, 12)}`
}

async function makeTemplate(admin: pg.Client, adminUrl: string, template: string, migrations: readonly Migration[]) {
  await createRoles(admin, passwords, 'keep')
  const { rows } = await admin.query<{ datname: string }>(
    "select datname from pg_database where datname like 'broadside_template_%' or datname = 'broadside_draft'",
  )
  for (const { datname } of rows) await admin.query(`drop database ${pg.escapeIdentifier(datname)} with (force)`)
  // Renamed when complete, so that an interrupted one is never used as a template.
  await createDatabase(adminUrl, 'broadside_draft')
  await migrateOrExplain(roleUrls(adminUrl, 'broadside_draft').migrator, migrations)
  await admin.query(`alter database broadside_draft rename to ${pg.escapeIdentifier(template)}`)
}

/** Existing roles keep their passwords, so a server that hosts a deployment cannot also serve development. */
async function migrateOrExplain(url: string, migrations: readonly Migration[]): Promise<void> {
  await migrate(url, migrations, new Date()).catch((error) => {
    if (error.code !== '28P01') throw error
    throw new Error(
      'The broadside_ roles on this server already have other passwords. Set DATABASE_URL to another server.',
    )
  })
  await prepareQueues(url)
}
