import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database/database.ts'
import type { DB } from './database/database-types.ts'

/**
 * Repeats a statement that handles a limited number of rows until it finds fewer, and returns how many it handled. After
 * many rounds it leaves the rest to the next run.
 */
export async function inBatches(
  db: Database,
  statement: (batch: RawBuilder<number>) => RawBuilder<unknown>,
): Promise<number> {
  let total = 0
  for (let round = 0; round < maxRounds; round++) {
    const { numAffectedRows } = await statement(sql.lit(batchSize)).execute(db)
    total += Number(numAffectedRows ?? 0n)
    if (Number(numAffectedRows ?? 0n) < batchSize) break
  }
  return total
}

/** Deletes or erases what has expired at this time, and returns the number of rows. */
export type Purge = (db: Database, at: Date) => Promise<number>

/** Deletes the rows for which the condition holds. A row that changes meanwhile is left to the next run. */
export const deleteInBatches = (db: Database, table: keyof DB, isOver: RawBuilder<unknown>): Promise<number> =>
  inBatches(
    db,
    (batch) => sql`
      delete from ${sql.table(table)} where ctid = any (array(
        select ctid from ${sql.table(table)} where ${isOver} limit ${batch}
      ))`,
  )

const batchSize = 1_000
const maxRounds = 100

/** Waits, but ends early if the signal is aborted. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {})
}
