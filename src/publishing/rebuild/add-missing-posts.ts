import { sql } from 'kysely'
import type { Kind } from '../../kinds/index.ts'
import type { Clock } from '../../platform/clock.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { lockPost } from '../../posts/status/change-status.ts'
import { updateListings } from '../jobs/list-post.ts'
import { holdTree } from '../jobs/locks.ts'

const batchSize = 5_000

/**
 * Adds public posts that are missing from the archive or from their author's listing, oldest first: a job was lost, or an
 * older program listed the post.
 */
export async function addMissingPosts(db: Database, kind: Kind, clock: Clock): Promise<void> {
  for (let after = ''; ; ) {
    const { rows } = await sql<{ id: string; is_missing: boolean }>`
      select posts.id, publications.post_id is null or (
        posts.status = 'published' and posts.standing <> 'closed' and not exists (
          select from shelf_entries where post_id = posts.id and path = 'by/' || posts.account_id and number is not null
        )
      ) as is_missing
      from (
        select posts.id, status, account_id, standing from posts join accounts on accounts.id = account_id
        where posts.id > ${after} and kind = ${kind.name} and published_at is not null
        order by posts.id limit ${sql.lit(batchSize)}
      ) as posts left join publications on publications.post_id = posts.id order by posts.id`.execute(db)
    for (const { id } of rows.filter(({ is_missing }) => is_missing))
      await inTransaction(db, async (tx) => {
        await holdTree(tx, kind.name)
        await lockPost(tx, id)
        await updateListings(tx, kind, id, clock.now())
      })
    const last = rows.at(-1)
    if (!last || rows.length < batchSize) return
    after = last.id
  }
}
