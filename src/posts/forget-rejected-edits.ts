import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'
import { inBatches } from '../platform/in-batches.ts'

/**
 * Long enough to hear of a rejection and to appeal it; what the model rejected alone is looked at within a day. Afterwards
 * a text that was never public is nobody's business, as reporters' texts are not after `reportTextDays`.
 */
export const rejectedEditDays = 30

/** Erases texts of edits that were rejected long ago, unless somebody is still to decide an appeal of the rejection. */
export function forgetRejectedEdits(db: Database, at: Date): Promise<void> {
  const decidedBefore = new Date(at.getTime() - rejectedEditDays * 86_400_000)
  return inBatches(
    db,
    (batch) => sql`
      update post_edits set content = null, facets = '{}', links = '{}' where (post_id, number) in (
        select post_id, number from post_edits edits
        where status = 'rejected' and content is not null and decided_at <= ${decidedBefore} and not exists (
          select from appeals where appeals.post_id = edits.post_id and appeals.edit = edits.number and outcome is null
        )
        limit ${batch} for no key update skip locked
      )`,
  )
}
