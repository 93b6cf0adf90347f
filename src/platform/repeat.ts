import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database/database.ts'

/** Runs a statement that takes up to so many rows, until it finds fewer; what is left after many rounds, the next run takes. */
export async function inBatches(db: Database, statement: (batch: RawBuilder<number>) => RawBuilder<unknown>) {
  for (let round = 0; round < maxRounds; round++) {
    const { numAffectedRows } = await statement(sql.lit(batchSize)).execute(db)
    if (Number(numAffectedRows ?? 0n) < batchSize) return
  }
}

const batchSize = 1_000
const maxRounds = 100

/** Waits, but not beyond the signal. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {})
}
