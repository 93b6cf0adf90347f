import { sql } from 'kysely'
import { enqueueSoon } from '../jobs/enqueue.ts'
import type { Kind } from '../kinds/index.ts'
import { type Database, inTransaction, type Transaction } from '../platform/database.ts'
import { lockPost } from '../posts/change-status.ts'
import { filesOfPost } from './files-of-a-post.ts'
import { announceChanges, buildAlone, holdTree } from './locks.ts'
import type { PublishedSite, Publishing } from './publishing.ts'
import { postView, selectPosts } from './read-posts.ts'
import { type Shelved, touchedPages } from './touched-pages.ts'
import { writeFiles } from './write-files.ts'

/** Puts a post where it belongs, asks for the pages that show it, and writes its own. Whatever happened to it is read from its row. */
export async function publishPost(publishing: Publishing, payload: { post_id: string }): Promise<void> {
  const { db, sites, observe } = publishing
  const startedAt = performance.now()
  const kind = await shelve(publishing, payload.post_id)
  const site = kind && sites.get(kind)
  if (!site) return
  const files = await writePost(db, site, payload.post_id)
  observe?.({ work: 'publish-post', files, seconds: (performance.now() - startedAt) / 1_000 })
}

/** The kind of the post, if it was ever public on a site that this process knows. */
function shelve({ db, sites, clock, delays }: Publishing, postId: string): Promise<string | undefined> {
  return inTransaction(db, async (tx) => {
    // Waits for a change that has just asked for this job and is about to end.
    const post = await lockPost(tx, postId)
    const site = post && sites.get(post.kind)
    if (!post?.published_at || !site) return undefined
    await holdTree(tx, post.kind)
    const shelved = await shelvePost(tx, site.view.kind, postId, clock.now())
    const cancelled = shelved.isStanding ? [] : await touchCalendars(tx, postId, clock.now())
    const pages = touchedPages({ ...shelved, touched: [...new Set([...shelved.touched, ...cancelled])].sort() })
    await askFor(tx, post.kind, pages.lists, delays.lists)
    await askFor(tx, post.kind, pages.others, delays.others)
    return post.kind
  })
}

async function askFor(tx: Transaction, kind: string, pages: readonly string[], delaySeconds: number): Promise<void> {
  const jobs = pages.map((page) => ({ payload: { kind, page }, once: `${kind} ${page}` }))
  await announceChanges(
    tx,
    jobs.map(({ once }) => once),
  )
  await enqueueSoon(tx, 'build-page', jobs, delaySeconds)
}

/** Puts a post into its lists and the archive, or takes it out of the lists. */
export async function shelvePost(tx: Transaction, kind: Kind, postId: string, at: Date): Promise<Shelved> {
  const post = await tx
    .selectFrom('posts')
    .select(['status', 'content', 'listed', 'published_at'])
    .where('id', '=', postId)
    .executeTakeFirstOrThrow()
  const body = (post.content ?? {}) as object
  const isStanding = post.status === 'published'
  const startsAt = isStanding ? (kind.presentation.occasion?.(body).starts_at ?? null) : null
  const { rows } = await sql<Omit<Shelved, 'isStanding'>>`
    select touched, archive_month, archive_number, is_new from shelve_post(
      ${postId}, ${kind.name}, ${post.published_at}, ${startsAt}, ${post.listed},
      ${isStanding ? ['', ...kind.shelves(body)] : []}, ${at}
    )`.execute(tx)
  return { ...(rows[0] as Omit<Shelved, 'isStanding'>), isStanding }
}

/** The lists whose calendars cancel what was taken down. They stay until that is forgotten, even if nothing is left in them. */
async function touchCalendars(tx: Transaction, postId: string, at: Date): Promise<string[]> {
  const { rows } = await sql<{ path: string }>`
    insert into shelves as s (kind, path, listed, standing, version, emptied_at)
    select kind, path, 0, 0, nextval('page_versions'), ${at}
    from withdrawals, unnest(shelves) as path where post_id = ${postId} and occasion is not null order by path
    on conflict (kind, path) do update set version = excluded.version
    returning s.path`.execute(tx)
  return rows.map(({ path }) => path)
}

function writePost(db: Database, { view, store }: PublishedSite, postId: string): Promise<number> {
  return inTransaction(db, async (tx) => {
    await holdTree(tx, view.kind.name)
    await buildAlone(tx, postId)
    const row = await selectPosts(tx).where('posts.id', '=', postId).executeTakeFirstOrThrow()
    return writeFiles(store, filesOfPost(view, postId, postView(view, row)))
  })
}
