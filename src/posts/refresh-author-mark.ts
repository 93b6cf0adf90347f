import { sql } from 'kysely'
import { readMarkForPost } from '../accounts/agents/agent-mark.ts'
import { type Database, inTransaction, type Transaction } from '../platform/database/database.ts'
import { signPost } from './public/sign-post.ts'
import { type Site, type Sites, siteOf } from './sites.ts'
import { enqueuePostPages, lockPost } from './status/change-status.ts'

type Refreshing = { db: Database; sites: Sites; accountId: string; at: Date; signal: AbortSignal }

const batchSize = 100
const maxBatches = 100_000

/**
 * Gives the published posts of an account its current mark. Each transaction handles a few posts. After a restart, it
 * finds the rest: posts that show another mark.
 */
export async function refreshAuthorMark(refreshing: Refreshing): Promise<void> {
  const { db, signal } = refreshing
  let after = ''
  for (let batch = 0; batch < maxBatches; batch++) {
    signal.throwIfAborted()
    const ids = await inTransaction(db, (tx) => refreshSome(tx, refreshing, after))
    if (ids.length < batchSize) return
    after = ids.at(-1) ?? ''
  }
}

async function refreshSome(tx: Transaction, { sites, accountId, at }: Refreshing, after: string): Promise<string[]> {
  const mark = await readMarkForPost(tx, accountId)
  const { rows } = await sql<{ id: string }>`
    select id from posts where account_id = ${accountId} and id > ${after} and status = 'published'
      and (agent_domain, agent_directory_url, agent_verified_at) is distinct from
        (${mark.agent_domain}::text, ${mark.agent_directory_url}::text, ${mark.agent_verified_at}::timestamptz)
    order by id limit ${sql.lit(batchSize)}`.execute(tx)
  for (const { id } of rows) {
    const post = await lockPost(tx, id)
    if (post?.status !== 'published') continue
    await tx.updateTable('posts').set(mark).where('id', '=', id).execute()
    await refreshPublicPost(tx, siteOf(sites, post.kind), { postId: id, at })
  }
  return rows.map(({ id }) => id)
}

/** Makes everything that shows a public post follow its row, after something other than its text has changed. */
export async function refreshPublicPost(
  tx: Transaction,
  site: Site,
  { postId, at }: { postId: string; at: Date },
): Promise<void> {
  await signPost(tx, site, { postId, at, type: 'edit' })
  await enqueuePostPages(tx, postId)
  // For readers of the stream, the post has changed.
  await sql`select note_author_gone(${postId})`.execute(tx)
}
