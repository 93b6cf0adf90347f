import { inTransaction, type Transaction } from '../platform/database/database.ts'
import { type Published, readCheckpoint } from './checkpoints.ts'
import { isOpenTo, keyOfLog, readLogHead, type StopReason, stopLog, type TransparencyLog } from './log.ts'
import { takePublishingLock, writeAgain } from './publish-files.ts'
import { continues } from './read-tiles.ts'
import { rootOfEmptyTree } from './tree/hashes.ts'

const nothing: Published = { size: 0, root: rootOfEmptyTree }

/**
 * Compares the log in the database with the published checkpoint, before anything is appended. They are not restored
 * together, so each can be behind the other:
 * - files behind the database: they are written again,
 * - database behind the files (a restored backup, a failover that lost commits): the log stops. Appending would fork it.
 * - different roots: the log stops, for the same reason.
 * - no files: the log stops. If the database was restored too, only the lost files had its last entries.
 * Returns what is published then, or undefined if the log must not go on, or while another process writes.
 */
export function reconcileFiles(log: TransparencyLog): Promise<Published | undefined> {
  return inTransaction(log.db, async (tx) => {
    if (!(await takePublishingLock(tx))) return undefined
    const file = (await log.store.read('checkpoint'))?.toString()
    const head = await readLogHead(tx, { locked: true })
    if (!isOpenTo(log, head)) return undefined
    if (file === undefined && head.publishedSize === 0) return nothing
    const published = file === undefined ? undefined : readCheckpoint(file, keyOfLog(log))
    if (!published) {
      if (head.filesLost) return writeAgain(tx, log, head, 0)
      return stop(tx, log, file === undefined ? 'files_missing' : 'unreadable')
    }
    if (published.size > head.size) return stop(tx, log, 'database_behind')
    if (!(await continues(tx, head, published))) return stop(tx, log, 'forked')
    if (published.size < head.publishedSize) return writeAgain(tx, log, head, published.size)
    // The files are there. If they get lost later, an operator must say so again.
    if (head.filesLost) await tx.updateTable('log_head').set({ files_lost: false }).execute()
    return published
  })
}

async function stop(tx: Transaction, log: TransparencyLog, reason: StopReason): Promise<undefined> {
  await stopLog({ ...log, db: tx }, reason)
  return undefined
}
