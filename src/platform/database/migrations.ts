import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

const migrationsFolder = new URL('../../../migrations/', import.meta.url)

export type Migration = { version: number; name: string; sql: string; checksum: string }

export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => /^\d{4}_[a-z0-9_]+\.sql$/.test(file)).sort()
  return Promise.all(
    files.map(async (file) => {
      const sql = await readFile(new URL(file, folder), 'utf8')
      const checksum = createHash('sha256').update(sql).digest('hex')
      return { version: Number(file.slice(0, 4)), name: file.slice(5, -4), sql, checksum }
    }),
  )
}

/** Any number of processes can call `migrate` at the same time: one migrates, and the others wait. */
const migrationLock = 7_460_001

/** Applies missing migrations, each in a separate transaction, and returns their names. */
export async function migrate(url: string, migrations: readonly Migration[], at: Date): Promise<string[]> {
  const client = new pg.Client({ connectionString: url, application_name: 'broadside migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [migrationLock])
    await client.query(createTable)
    const { rows } = await client.query<Applied>('select version, name, checksum from schema_migrations')
    const refusal = refusalOf(migrations, rows, 'migrate')
    if (refusal) throw new SchemaError(refusal)
    const missing = migrations.filter(({ version }) => !rows.some((row) => row.version === version))
    await client.query(`set lock_timeout = '${lockTimeoutSeconds}s'`)
    for (const migration of missing) await applyPatiently(client, migration, at)
    return missing.map(({ version, name }) => `${String(version).padStart(4, '0')}_${name}`)
  } finally {
    await client.end()
  }
}

/** Prevents a process from starting if its code and schema do not match. */
export async function assertSchemaIsCurrent(pool: pg.Pool, migrations: readonly Migration[]): Promise<void> {
  const { rows } = await pool.query<Applied>('select version, name, checksum from schema_migrations').catch((error) => {
    if (error instanceof pg.DatabaseError && error.code === '42P01') return { rows: [] }
    throw error
  })
  const refusal = refusalOf(migrations, rows, 'run')
  if (refusal) throw new SchemaError(refusal)
}

export class SchemaError extends Error {}

type Applied = { version: number; name: string; checksum: string }

function refusalOf(known: readonly Migration[], applied: readonly Applied[], purpose: 'run' | 'migrate') {
  const newest = known.at(-1)?.version ?? 0
  const newer = applied.find(({ version }) => version > newest)
  const lost = applied.find(({ version }) => !known.some((migration) => migration.version === version))
  if (newer)
    return `The schema is at ${newer.version} (${newer.name}), newer than this program. Deploy a newer version.`
  if (lost) return `Migration ${lost.version} (${lost.name}) was applied, but its file is missing. Restore the file.`
  for (const migration of known) {
    const row = applied.find(({ version }) => version === migration.version)
    if (row && row.checksum !== migration.checksum)
      return `Migration ${migration.version} (${migration.name}) was changed after it was applied. Restore the file.`
    if (!row && purpose === 'run')
      return `The schema lacks migration ${migration.version} (${migration.name}): run \`npm run broadside -- migrate\`.`
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

/** A migration that waits for a lock blocks all queries behind it. So it waits briefly, backs off and retries. */
const lockTimeoutSeconds = 3
const maxTries = 10

async function applyPatiently(client: pg.Client, migration: Migration, at: Date) {
  for (let tries = 1; ; tries++) {
    try {
      return await apply(client, migration, at)
    } catch (error) {
      const isLockTimeout = ((error as Error).cause as pg.DatabaseError)?.code === '55P03'
      if (!isLockTimeout || tries === maxTries) throw error
    }
  }
}

async function apply(client: pg.Client, { version, name, sql, checksum }: Migration, at: Date) {
  await client.query('begin')
  try {
    await client.query(sql)
    await client.query('insert into schema_migrations values ($1, $2, $3, $4)', [version, name, checksum, at])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw new Error(`Migration ${version} (${name}) failed and was rolled back.`, { cause: error })
  }
}
