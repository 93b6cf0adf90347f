import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Migration } from './migration-files.ts'
import { splitStatements } from './split-statements.ts'

/**
 * A migration that waits for a lock blocks all queries behind it. So it waits briefly, pauses and tries again. It gives
 * up well before these queries reach their own lock timeout (3 seconds, see `connect`), so that they only wait.
 */
export type MigrationPace = { lockTimeoutMs: number; firstPauseMs: number; maxTries: number }
export const usualPace: MigrationPace = { lockTimeoutMs: 1_500, firstPauseMs: 500, maxTries: 14 }
const longestPauseMs = 15_000

/** Programs of this schema and older read only `schema_migrations`. */
export const lastOldSchema = 40

/** Applies one migration and records it. If it was interrupted before, it continues. */
export function runMigration(client: pg.Client, migration: Migration, at: Date, pace: MigrationPace): Promise<void> {
  const run = migration.isTransaction ? runInTransaction : runByStatement
  return run(client, migration, at, pace)
}

async function runInTransaction(client: pg.Client, migration: Migration, at: Date, pace: MigrationPace) {
  await patiently(pace, async () => {
    await client.query(`set lock_timeout = ${pace.lockTimeoutMs}`)
    await client.query('begin')
    try {
      await client.query(migration.sql)
      await record(client, migration, at)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  }).catch((cause) => {
    throw new Error(`Migration ${migration.version} (${migration.name}) failed and was rolled back.`, { cause })
  })
}

/** Each statement is safe to repeat, so a migration that was killed starts again from its first one. */
async function runByStatement(client: pg.Client, migration: Migration, at: Date, pace: MigrationPace) {
  for (const [index, statement] of splitStatements(migration.sql).entries())
    await patiently(pace, () => runStatement(client, statement, pace)).catch((cause) => {
      const where = `Migration ${migration.version} (${migration.name}) failed at statement ${index + 1}.`
      throw new Error(`${where} Earlier statements stay. Fix the cause and run the command again.`, { cause })
    })
  await client.query('begin')
  await record(client, migration, at)
  await client.query('commit')
}

const name = String.raw`((?:"[^"]+"|[\w$]+)(?:\.(?:"[^"]+"|[\w$]+))?)`
const createsIndex = new RegExp(String.raw`^create\s+(?:unique\s+)?index\s+concurrently\s+${name}\s+on\s`, 'i')
const addsConstraint = new RegExp(
  String.raw`^alter\s+table\s+(?:only\s+)?${name}\s+add\s+constraint\s+${name}\s[\s\S]*\snot\s+valid$`,
  'i',
)
/** These wait for other transactions without blocking them. */
const blocksNobody = /\bconcurrently\b|\bvalidate\s+constraint\b/i
const patientLockTimeoutMs = 15 * 60_000

async function runStatement(client: pg.Client, statement: string, { lockTimeoutMs }: MigrationPace): Promise<void> {
  await client.query(`set lock_timeout = ${blocksNobody.test(statement) ? patientLockTimeoutMs : lockTimeoutMs}`)
  const [, index] = createsIndex.exec(statement) ?? []
  if (index && (await keepsIndex(client, index))) return
  const [, table, constraint] = addsConstraint.exec(statement) ?? []
  if (table && constraint && (await hasConstraint(client, table, constraint))) return
  await client.query(statement)
}

/** True if the index exists and is complete. Drops the rest of an interrupted build. */
async function keepsIndex(client: pg.Client, index: string): Promise<boolean> {
  const { rows } = await client.query<{ indisvalid: boolean }>(
    'select indisvalid from pg_index where indexrelid = to_regclass($1)',
    [index],
  )
  if (rows[0]?.indisvalid === false) await client.query(`drop index concurrently if exists ${index}`)
  return rows[0]?.indisvalid === true
}

async function hasConstraint(client: pg.Client, table: string, constraint: string): Promise<boolean> {
  const unquoted = constraint.startsWith('"') ? constraint.slice(1, -1) : constraint.toLowerCase()
  const { rowCount } = await client.query(
    'select from pg_constraint where conrelid = to_regclass($1) and conname = $2',
    [table, unquoted],
  )
  return rowCount === 1
}

/** In a transaction: the row that older programs read, and the one that newer programs read. */
async function record(client: pg.Client, { version, name, checksum, phase, worksWith }: Migration, at: Date) {
  // Older programs refuse to start if they find a row that they do not know. They should, if they do not work with it.
  if (version <= lastOldSchema || worksWith > lastOldSchema)
    await client.query('insert into schema_migrations values ($1, $2, $3, $4)', [version, name, checksum, at])
  if (version > lastOldSchema)
    await client.query('insert into applied_migrations values ($1, $2, $3, $4, $5, $6)', [
      ...[version, name, checksum, phase, worksWith, at],
    ])
}

/** Retries after a lock timeout or a deadlock, with growing pauses in which the queries behind it run. */
async function patiently(pace: MigrationPace, work: () => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      const code = error instanceof pg.DatabaseError ? error.code : undefined
      if ((code !== '55P03' && code !== '40P01') || tries === pace.maxTries) throw error
    }
    await sleep(Math.min(pace.firstPauseMs * 2 ** (tries - 1), longestPauseMs))
  }
}
