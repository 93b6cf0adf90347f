import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'
import { inBatches } from '../platform/in-batches.ts'
import { signatureDays } from './prefilter.ts'

/** Drops what is too old to be compared with, so that the index stays as small as a week is. */
export function forgetSignatures(db: Database, at: Date): Promise<void> {
  const before = new Date(at.getTime() - signatureDays * 86_400_000)
  return inBatches(
    db,
    (batch) => sql`
      delete from post_signatures where (post_id, edit) in (
        select post_id, edit from post_signatures where created_at <= ${before} order by created_at limit ${batch}
        for update skip locked
      )`,
  )
}
