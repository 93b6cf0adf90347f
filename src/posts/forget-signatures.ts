import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'
import { signatureDays } from './prefilter.ts'

const batch = 5_000

/** Drops what is too old to be compared with, so that the index stays as small as a week is. */
export async function forgetSignatures(db: Database, at: Date): Promise<void> {
  const before = new Date(at.getTime() - signatureDays * 86_400_000)
  await sql`
    delete from post_signatures where post_id in (
      select post_id from post_signatures where created_at <= ${before} order by created_at limit ${batch}
      for update skip locked
    )`.execute(db)
}
