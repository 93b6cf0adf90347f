import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database/database.ts'

/**
 * Repeats a statement that handles one batch of rows until a batch is not full. After `maxRounds` rounds, it leaves the
 * rest to the next run.
 */
export async function inBatches(db: Database, statement: (batch: RawBuilder<number>) => RawBuilder<unknown>) {
  for (let round = 0; round < maxRounds; round++) {
    const { numAffectedRows } = await statement(sql.lit(batchSize)).execute(db)
    if (Number(numAffectedRows ?? 0n) < batchSize) return
  }
}

const batchSize = 1_000
const maxRounds = 100

/** Waits, but ends early if the signal is aborted. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {})
}
