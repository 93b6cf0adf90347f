import { sql } from 'kysely'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { enqueuePostPages } from '../../posts/status/change-status.ts'
import { firstOfCurrentLog } from '../../transparency-log/log.ts'

const batchSize = 500
const maxBatches = 20
/** During an upgrade, workers of the last release still publish posts without a signature. */
const upgradeMs = 3_600_000

/**
 * Enqueues public posts that have no signature or no entry in the open log, oldest first. Their files are written again,
 * and the job that does so signs them. It remembers how far it has come, up to an hour ago, so that it costs little once
 * all are signed.
 */
export async function enqueueUnsignedPosts(db: Database, at: Date): Promise<void> {
  const head = await db.selectFrom('log_head').select('signed_through').executeTakeFirst()
  let after = head?.signed_through
  for (let batch = 0; batch < maxBatches && after !== undefined; batch += 1)
    after = await inTransaction(db, (tx) => enqueueSome(tx, String(after), new Date(at.getTime() - upgradeMs)))
}

/** Returns the last post of a full batch. */
async function enqueueSome(tx: Transaction, after: string, settledBefore: Date): Promise<string | undefined> {
  const { rows } = await sql<{ id: string; created_at: Date; lacks: boolean }>`
    select id, created_at, status = 'published' and not exists (
      select from post_proofs where post_id = posts.id and queue_id >= ${firstOfCurrentLog}) as lacks
    from posts where id > ${after} order by id limit ${sql.lit(batchSize)}`.execute(tx)
  for (const { id, lacks } of rows) if (lacks) await enqueuePostPages(tx, id)
  const settled = rows.findLast(({ created_at }) => created_at < settledBefore)
  if (settled) await tx.updateTable('log_head').set({ signed_through: settled.id }).execute()
  return rows.length === batchSize ? rows.at(-1)?.id : undefined
}
