import { inTransaction } from '../platform/database/database.ts'
import { firstOfCurrentLog, type TransparencyLog } from './log.ts'

const batchSize = 1_000

/**
 * Enqueues the files with the proofs of the next posts, and stores how far it has come: after an outage they are too many
 * for one statement. Returns whether more is waiting.
 */
export function enqueueNextProofs(log: TransparencyLog): Promise<boolean> {
  return inTransaction(log.db, async (tx) => {
    const head = await tx
      .selectFrom('log_head')
      .select(['published_size', 'proofs_through'])
      .whereRef('proofs_through', '<', 'published_size')
      .forUpdate()
      .skipLocked()
      .executeTakeFirst()
    if (!head) return false
    const posts = await tx
      .selectFrom('post_proofs')
      .select(['post_id', 'entry_index'])
      .where('entry_index', '>=', head.proofs_through)
      .where('entry_index', '<', head.published_size)
      .where('queue_id', '>=', firstOfCurrentLog)
      .orderBy('entry_index')
      .limit(batchSize)
      .execute()
    const isMore = posts.length === batchSize
    const through = isMore ? Number(posts.at(-1)?.entry_index) + 1 : head.published_size
    if (posts.length > 0) await log.enqueueProofs(tx, posts.map(({ post_id }) => post_id).toSorted())
    await tx.updateTable('log_head').set({ proofs_through: through }).execute()
    return isMore
  })
}
