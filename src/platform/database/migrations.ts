import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { fullName, type Migration } from './migration-files.ts'
import { lastOldSchema, type MigrationPace, runMigration, usualPace } from './run-migration.ts'

/** Any number of processes can call `migrate` at the same time: one migrates, and the others wait. */
const migrationLock = 7_460_001
const lockPollMs = 250

type MigrateOptions = {
  /** `before`: leaves out the migrations that wait until the new program is deployed. Default: all. */
  through?: Migration['phase']
  pace?: MigrationPace
}

/** Applies missing migrations in order, one at a time, and returns their names. */
export async function migrate(
  url: string,
  migrations: readonly Migration[],
  at: Date,
  { through = 'after', pace = usualPace }: MigrateOptions = {},
): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'broadside migrate' })
  await client.connect()
  try {
    await takeLock(client)
    await client.query(createTable)
    const applied = await readAppliedMigrations(client)
    const due = dueMigrations(migrations, applied, through)
    await refuseForOldPrograms(client, due)
    for (const migration of due) await runMigration(client, migration, at, pace)
    return due.map(fullName)
  } finally {
    await client.end()
  }
}

/**
 * Asks again and again instead of waiting inside PostgreSQL: `create index concurrently` waits for every statement that
 * runs, so a statement that waits for this lock would be a deadlock.
 */
async function takeLock(client: pg.Client): Promise<void> {
  while (true) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [migrationLock])
    if (rows[0]?.taken) return
    await sleep(lockPollMs)
  }
}

function dueMigrations(known: readonly Migration[], applied: readonly AppliedMigration[], through: Migration['phase']) {
  const refusal = refusalOf(known, applied)
  if (refusal) throw new SchemaError(refusal)
  const missing = missingFrom(known, applied)
  // Nothing runs on an empty database.
  if (through === 'after' || applied.length === 0) return missing
  return missing.filter(({ phase }) => phase === 'before')
}

const missingFrom = (known: readonly Migration[], applied: readonly AppliedMigration[]) =>
  known.filter(({ version }) => !applied.some((row) => row.version === version))

/** Prevents a process from starting if its code does not work with the schema. */
export async function assertSchemaIsCurrent(
  pool: pg.Pool | pg.Client,
  migrations: readonly Migration[],
): Promise<void> {
  const applied = await readAppliedMigrations(pool)
  const refusal = refusalOf(migrations, applied)
  if (refusal) throw new SchemaError(refusal)
  const lack = lackOf(missingFrom(migrations, applied))
  if (lack) throw new SchemaError(lack, true)
}

/** A program works without the migrations that are applied after the deploy. */
function lackOf(missing: readonly Migration[]): string | undefined {
  const needed = missing.find(({ phase }) => phase === 'before')
  if (!needed) return undefined
  return `The schema lacks migration ${needed.version} (${needed.name}): run \`npm run broadside -- migrate\`.`
}

export type SchemaStatus = {
  /** The schema number of this program: its newest migration. */
  program: number
  /** The newest migration that was applied. */
  schema: number
  /** The schema number of the oldest program that can start. */
  works_with: number
  waiting_before_deploy: string[]
  waiting_after_deploy: string[]
  /** Connected processes whose program is older than this one. */
  older_processes: string[]
}

export async function readSchemaStatus(url: string, migrations: readonly Migration[]): Promise<SchemaStatus> {
  const client = new pg.Client({ connectionString: url, application_name: 'broadside migrate' })
  await client.connect()
  try {
    const applied = await readAppliedMigrations(client)
    const program = schemaOf(migrations)
    const missing = missingFrom(migrations, applied)
    const namesIn = (wanted: Migration['phase']) => missing.filter(({ phase }) => phase === wanted).map(fullName)
    return {
      program,
      schema: Math.max(0, ...applied.map(({ version }) => version)),
      works_with: Math.max(0, ...applied.map(({ works_with }) => works_with)),
      waiting_before_deploy: namesIn('before'),
      waiting_after_deploy: namesIn('after'),
      older_processes: (await connectedPrograms(client))
        .filter(({ schema }) => schema < program)
        .map(({ name }) => name),
    }
  } finally {
    await client.end()
  }
}

export class SchemaError extends Error {
  /** True if only `migrate` is missing: a process can wait for it. */
  readonly canBeMigrated: boolean

  constructor(message: string, canBeMigrated = false) {
    super(message)
    this.canBeMigrated = canBeMigrated
  }
}

export type AppliedMigration = { version: number; name: string; checksum: string; works_with: number }

const rowsOfOldPrograms = 'select version, name, checksum, version as works_with from schema_migrations'
const rowsOfAllPrograms = `
  select version, name, checksum, works_with from applied_migrations
  union all ${rowsOfOldPrograms} where version not in (select version from applied_migrations)`

/** What was applied; nothing if the database is empty. */
export async function readAppliedMigrations(client: pg.Pool | pg.Client): Promise<AppliedMigration[]> {
  for (const text of [rowsOfAllPrograms, rowsOfOldPrograms]) {
    const result = await client.query<AppliedMigration>(text).catch(unlessMissingTable)
    if (result) return result.rows
  }
  return []
}

function unlessMissingTable(error: unknown): undefined {
  if (!(error instanceof pg.DatabaseError && error.code === '42P01')) throw error
}

const schemaOf = (migrations: readonly Migration[]) => migrations.at(-1)?.version ?? 0

function refusalOf(known: readonly Migration[], applied: readonly AppliedMigration[]) {
  const newest = schemaOf(known)
  const tooNew = applied.find(({ version, works_with }) => version > newest && works_with > newest)
  if (tooNew)
    return (
      `The schema is at ${tooNew.version} (${tooNew.name}), newer than this program, which has schema ${newest}. ` +
      `That migration works with schema ${tooNew.works_with} and newer. Deploy a newer version.`
    )
  const lost = applied.find(
    ({ version }) => version <= newest && !known.some((migration) => migration.version === version),
  )
  if (lost) return `Migration ${lost.version} (${lost.name}) was applied, but its file is missing. Restore the file.`
  for (const { version, name, checksum } of known) {
    const row = applied.find((one) => one.version === version)
    if (row && row.checksum !== checksum)
      return `Migration ${version} (${name}) was changed after it was applied. Restore the file.`
  }
  return undefined
}

const createTable = `
  create table if not exists schema_migrations (
    version integer primary key,
    name text not null,
    checksum text not null,
    applied_at timestamptz not null
  );
`

/** The name of a process's connections, by which a migration recognises programs that it would break. */
export const programName = (process: string, migrations: readonly Migration[]) =>
  `broadside ${process} (schema ${schemaOf(migrations)})`

/** The processes that have a connection to this database. Those without a number are of the last old schema. */
async function connectedPrograms(client: pg.Client) {
  const { rows } = await client.query<{ name: string; schema: number }>(
    `select distinct application_name as name,
       coalesce(substring(application_name from 'schema (\\d+)')::integer, ${lastOldSchema}) as schema
     from pg_stat_activity
     where datname = current_database()
       and application_name ~ '^broadside (api|worker|owner-page|desk)( \\(schema \\d+\\))?$'
     order by 1`,
  )
  return rows
}

/** Migrations up to the last old schema had no such check. */
async function refuseForOldPrograms(client: pg.Client, due: readonly Migration[]): Promise<void> {
  const strict = due.filter(({ version }) => version > lastOldSchema)
  if (strict.length === 0) return
  for (const { name, schema } of await connectedPrograms(client)) {
    const breaking = strict.find(({ worksWith }) => worksWith > schema)
    if (breaking)
      throw new SchemaError(
        `Migration ${breaking.version} (${breaking.name}) does not work with a process that still runs: ${name}. ` +
          'Restart it with this release (`npm run broadside -- rolling-restart`), then run this command again.',
      )
  }
}
