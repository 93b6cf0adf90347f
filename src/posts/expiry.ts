import { sql } from 'kysely'
import { expiryCutoff } from '../contract/retention/periods.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { inBatches, type Purge } from '../platform/repeat.ts'
import { enqueuePostPages } from './status/change-status.ts'

/** Removes expired ads and past events from the lists, oldest first. The next run handles the rest. */
export async function expirePosts(db: Database, at: Date): Promise<void> {
  for (let round = 0; round < maxRounds; round++) if ((await expireSome(db, at)) < batchSize) return
}

const batchSize = 200
const maxRounds = 500

function expireSome(db: Database, at: Date): Promise<number> {
  return inTransaction(db, async (tx) => {
    const { rows } = await sql<{ id: string }>`
      update posts set listed = false where id in (
        select id from posts where listed and visible_until <= ${at} order by visible_until limit ${sql.lit(batchSize)}
        for update skip locked
      ) returning id`.execute(tx)
    for (const { id } of rows) await enqueuePostPages(tx, id)
    return rows.length
  })
}

/** Erases the texts of edits that were rejected long ago, unless an appeal of the rejection is still open. */
export const eraseRejectedEdits: Purge = (db, at) =>
  inBatches(
    db,
    (batch) => sql`
      update post_edits set content = null, facets = '{}', links = '{}' where (post_id, number) in (
        select post_id, number from post_edits edits
        where status = 'rejected' and content is not null and decided_at <= ${expiryCutoff('rejected-edits', at)}
          and not exists (
            select from appeals where appeals.post_id = edits.post_id and appeals.edit = edits.number and outcome is null
          )
        limit ${batch} for no key update skip locked
      )`,
  )
