import { sql } from 'kysely'
import type { Transaction } from '../../platform/database/database.ts'

/**
 * Tells a rebuild that the files of a post have been written again: it reads the post once more before it swaps its tree
 * in. A new post is in no archive yet, so its number is kept apart until `list-post` runs.
 */
export async function noteWritten(tx: Transaction, kind: string, postId: string): Promise<void> {
  await sql`
    with numbered as (
      update publications set version = nextval('page_versions') where post_id = ${postId} returning post_id
    )
    insert into unlisted_posts (post_id, kind, version)
      select ${postId}, ${kind}, nextval('page_versions') where not exists (select from numbered)
      on conflict (post_id) do update set version = excluded.version`.execute(tx)
}
