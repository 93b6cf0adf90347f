import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Clock } from '../platform/clock.ts'
import { withAdvisoryLock } from '../platform/database/advisory-lock.ts'
import type { Database } from '../platform/database/database.ts'
import { openCounter } from '../platform/observability/instruments.ts'
import type { Logger } from '../platform/observability/logger.ts'
import { startRepeating } from '../platform/repeat.ts'
import type { PolicyCategoryId } from '../policy/policy.ts'
import type { ErasureKind, ErasureLog } from './erasure-log.ts'

export type WritingErasures = {
  db: Database
  /** The machine's clock: a restore names a time of the database server. */
  clock: Clock
  /** Null if there is none, which production does not allow: then the rows are deleted. */
  log: ErasureLog | null
}

const batch = 1_000
const lockKey = sql`hashtextextended('erasure log', 0)`

/**
 * Moves noted erasures into the log, in their order. The rows are deleted when the lines are on disk, so after a crash
 * some lines are there twice. One worker at a time: a removal and its reversal must not change places. Returns whether
 * more are waiting.
 */
export async function writeErasures({ db, clock, log }: WritingErasures): Promise<boolean> {
  // Usually nothing waits, and then the lock is not needed.
  const next = await db.selectFrom('erasures').select('id').limit(1).executeTakeFirst()
  if (!next) return false
  const write = async (connection: Database) => {
    const rows = await connection
      .selectFrom('erasures')
      .select(['id', 'kind', 'subject', 'category'])
      .orderBy('id')
      .limit(batch)
      .execute()
    if (rows.length === 0) return false
    const at = clock.now()
    await log?.append(
      rows.map(({ kind, subject, category }) => ({
        at,
        kind: kind as ErasureKind,
        id: subject,
        ...(category !== null && { category: category as PolicyCategoryId }),
      })),
    )
    const ids = rows.map(({ id }) => id)
    await connection.deleteFrom('erasures').where('id', 'in', ids).execute()
    return rows.length === batch
  }
  return withAdvisoryLock(db, lockKey, write, () => false)
}

const writeTries = 50
const tryAgainMs = 100

/** Writes what is noted about an account. Waits while another worker writes, and fails if the log stays behind. */
export async function assertClosingIsLogged(writing: WritingErasures, accountId: string): Promise<void> {
  for (let tries = 0; tries < writeTries; tries++) {
    while (await writeErasures(writing));
    const waiting = await writing.db
      .selectFrom('erasures')
      .select('id')
      .where('kind', '=', 'account.closed')
      .where('subject', '=', accountId)
      .executeTakeFirst()
    if (!waiting) return
    await sleep(tryAgainMs)
  }
  throw new Error('the erasure log does not have the closed account yet')
}

const hourMs = 3_600_000

/** Writes the log until it is disposed, and deletes its old files every hour. */
export function startErasureLog(writing: WritingErasures & { logger: Logger; everyMs: number }): AsyncDisposable {
  const { clock, log, logger, everyMs } = writing
  let prunedAt = 0
  const work = async () => {
    const isMore = await writeErasures(writing)
    const at = clock.now()
    if (log && at.getTime() - prunedAt >= hourMs) {
      prunedAt = at.getTime()
      await log.prune(at)
    }
    return isMore
  }
  const failures = openCounter('erasures.log.failures')
  const onError = (error: unknown) => {
    failures.add(1)
    logger.error({ error }, 'could not write the erasure log')
  }
  return startRepeating({ everyMs, work, onError })
}
