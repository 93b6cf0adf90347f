import { inTransaction, type Transaction } from '../platform/database/database.ts'
import { type Published, readCheckpoint } from './checkpoints.ts'
import {
  currentLog,
  isOpenTo,
  keyOfLog,
  type LogHead,
  readLogHead,
  type StopReason,
  stopLog,
  type TransparencyLog,
} from './log.ts'
import { takePublishingLock, writeAgain } from './publish-files.ts'
import { continues } from './read-tiles.ts'
import { recoverEntries } from './recover-entries.ts'
import { rootOfEmptyTree } from './tree/hashes.ts'

const nothing: Published = { size: 0, root: rootOfEmptyTree }

/**
 * Compares the log in the database with the published checkpoint, before anything is appended. They are not restored
 * together, so each can be behind the other:
 * - files behind the database: they are written again,
 * - database behind the files (a restored backup, a failover that lost commits): the entries are read back,
 * - different roots: the log stops. Appending would fork it.
 * - no files: the log stops. If the database was restored too, only the lost files had its last entries.
 * Returns what is published then, or undefined if the log must not go on, or while another process writes.
 */
export async function reconcileFiles(log: TransparencyLog): Promise<Published | undefined> {
  const compared = await compare(log)
  if (compared !== 'database_behind') return compared
  if (!(await recoverEntries(log))) return undefined
  const again = await compare(log)
  return again === 'database_behind' ? undefined : again
}

function compare(log: TransparencyLog): Promise<Published | 'database_behind' | undefined> {
  return inTransaction(log.db, async (tx) => {
    if (!(await takePublishingLock(tx))) return undefined
    const file = (await log.store.read('checkpoint'))?.toString()
    const head = await readLogHead(tx, { locked: true })
    if (!isOpenTo(log, head)) return undefined
    if (file === undefined) {
      if (head.publishedSize === 0) return nothing
      return head.filesLost ? writeAgain(tx, log, head, 0) : stop(tx, log, 'files_missing')
    }
    const published = readCheckpoint(file, keyOfLog(log))
    if (!published) return stop(tx, log, 'unreadable')
    if (published.size > head.size) return 'database_behind'
    if (!(await continues(tx, head, published))) return stop(tx, log, 'forked')
    if (published.size < head.publishedSize) return writeAgain(tx, log, head, published.size)
    // The files are there. If they get lost later, an operator must say so again.
    if (head.filesLost) await tx.updateTable('log_head').set({ files_lost: false }).execute()
    return keepNote(tx, head, { ...published, note: file })
  })
}

async function stop(tx: Transaction, log: TransparencyLog, reason: StopReason): Promise<undefined> {
  await stopLog({ ...log, db: tx }, reason)
  return undefined
}

/** A process that died after it wrote the checkpoint could not store the cosignatures in it. */
async function keepNote(tx: Transaction, { publishedSize }: LogHead, published: Published & { note: string }) {
  const { size, note } = published
  if (size > publishedSize)
    await tx
      .updateTable('log_checkpoints')
      .set({ note, published: true })
      .where('log', '=', currentLog)
      .where('size', '=', size)
      .execute()
  return published
}
