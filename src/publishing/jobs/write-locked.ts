import { sql } from 'kysely'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import type { Files, PageStore } from '../../platform/page-store/site-store.ts'
import { pause } from '../../platform/repeat.ts'
import type { RequestPurges } from './cdn-purges.ts'
import { buildAlone, takeFence } from './locks.ts'

type LockedWrite = {
  kind: string
  /** The slug of the site. */
  site: string
  /** The name that the lock is for. */
  page: string
  store: PageStore
  makeFiles: (tx: Transaction) => Promise<Files>
  /** Tells a CDN which files have changed, if there is one. */
  requestPurges?: RequestPurges | undefined
  /** Enqueues the work that follows, if the write succeeds. */
  afterWrite?: (tx: Transaction) => Promise<void>
  /** Enqueues the same work again. */
  enqueueAgain: (tx: Transaction) => Promise<void>
}

/**
 * Writes files made from the current rows, while no other process writes the same page.
 *
 * The lock ends with the database session, but the write does not: a process that was paused for longer than the
 * session lives then overwrites newer files, for example of a removal. It notices only afterwards, because its
 * transaction cannot commit. So it enqueues the work again; its own job may have been completed by another process. If
 * it dies before that, `repairPages` finds what it wrote.
 */
export async function writeLocked(db: Database, write: LockedWrite): Promise<number> {
  let mayBeStale = false
  try {
    return await inTransaction(db, async (tx) => {
      await buildAlone(tx, write.kind, write.page)
      const fence = await takeFence(tx)
      const files = await write.makeFiles(tx)
      mayBeStale = true
      try {
        const written = await keepingAlive(tx, write.store.apply(files, fence))
        await write.requestPurges?.(tx, write.site, files.keys())
        await write.afterWrite?.(tx)
        return written
      } catch (error) {
        // The job is retried. Only if the lock is lost too, another process may have completed the job.
        mayBeStale = await isSessionLost(tx)
        throw error
      }
    })
  } catch (error) {
    if (mayBeStale) await enqueuePersistently(db, write.enqueueAgain)
    throw error
  }
}

const pingMs = 1_000

/** Keeps the session alive while a slow store writes. If it is lost, the commit fails. */
async function keepingAlive<Result>(tx: Transaction, writing: Promise<Result>): Promise<Result> {
  const ping = setInterval(() => void isSessionLost(tx), pingMs)
  try {
    return await writing
  } finally {
    clearInterval(ping)
  }
}

const isSessionLost = (tx: Transaction): Promise<boolean> =>
  sql`select 1`.execute(tx).then(
    () => false,
    () => true,
  )

const retryMs = 500
const giveUpMs = 50_000

/** The database may be unreachable for the same reason that ended the session. */
async function enqueuePersistently(db: Database, add: (tx: Transaction) => Promise<void>): Promise<void> {
  const giveUp = AbortSignal.timeout(giveUpMs)
  for (;;)
    try {
      return await inTransaction(db, add)
    } catch (error) {
      if (giveUp.aborted) throw error
      await pause(retryMs, giveUp)
    }
}
