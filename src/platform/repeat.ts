import { setTimeout as sleep } from 'node:timers/promises'
import { type RawBuilder, sql } from 'kysely'
import type { DB } from '../../generated/database-types.ts'
import type { Database } from './database/database.ts'

/**
 * Repeats a statement that handles one batch of rows until a batch is not full. After `maxRounds` rounds, it leaves the
 * rest to the next run.
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

type Repeated = {
  everyMs: number
  /** Returns true if more is waiting; then the next run starts at once. */
  work: (signal: AbortSignal) => Promise<unknown>
  onError: (error: unknown) => unknown
}

/** Runs `work` at intervals, one run after another, until the signal is aborted. Errors do not end it. */
export async function repeatUntil(signal: AbortSignal, { everyMs, work, onError }: Repeated): Promise<void> {
  while (!signal.aborted) {
    const isMore = await work(signal).catch(async (error) => void (await onError(error)))
    if (isMore !== true) await pauseUnreferenced(everyMs, signal)
  }
}

/** The same until it is disposed, which waits for the current run. The first run can wait for one interval, too. */
export function startRepeating({ waitsFirst, ...repeated }: Repeated & { waitsFirst?: true }): AsyncDisposable {
  const stop = new AbortController()
  const running = (async () => {
    if (waitsFirst) await pauseUnreferenced(repeated.everyMs, stop.signal)
    await repeatUntil(stop.signal, repeated)
  })()
  return {
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await running
    },
  }
}

/** A process that has nothing else to do may end. */
const pauseUnreferenced = (milliseconds: number, signal: AbortSignal) =>
  sleep(milliseconds, undefined, { signal, ref: false }).catch(() => {})

/** Waits, but ends early if the signal is aborted. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => {})
}
