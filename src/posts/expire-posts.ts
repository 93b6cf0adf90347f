import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'
import { inBatches } from '../platform/in-batches.ts'

/** Takes ads that expired and events that ended out of the lists, oldest first. */
export function expirePosts(db: Database, at: Date): Promise<void> {
  return inBatches(
    db,
    (batch) => sql`
      update posts set listed = false where id in (
        select id from posts where listed and visible_until <= ${at} order by visible_until limit ${batch}
        for update skip locked
      )`,
  )
}
