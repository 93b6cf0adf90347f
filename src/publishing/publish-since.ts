import { sql } from 'kysely'
import { publishPost } from './publish-post.ts'
import type { Publishing } from './publishing.ts'

type Since = { kind: string; since: Date; onProgress: (done: number, total: number) => void }

/**
 * Publishes again, into the live tree, all that became public, changed, ended or was taken down since a time: for when
 * jobs or files of that time were lost. The lists follow by jobs.
 */
export async function publishSince(publishing: Publishing, { kind, since, onProgress }: Since): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from posts where kind = ${kind} and published_at is not null and (
      published_at >= ${since} or edited_at >= ${since} or decided_at >= ${since}
      or visible_until >= ${since} and not listed
      or exists (select from withdrawals where post_id = id and withdrawn_at >= ${since})
    ) order by id`.execute(publishing.db)
  for (const [index, { id }] of rows.entries()) {
    await publishPost(publishing, { post_id: id })
    onProgress(index + 1, rows.length)
  }
  return rows.length
}
