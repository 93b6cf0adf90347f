import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { sql } from 'kysely'
import { hasJob } from '../../jobs/backlog.ts'
import { inTransaction } from '../../platform/database/database.ts'
import { enqueuePostPages } from '../../posts/status/change-status.ts'
import type { PublishedSite, Publishing } from '../publishing.ts'
import { finishSwap } from '../rebuild/finish-swap.ts'
import { listingFile, postFile } from '../site-files.ts'
import { datePagesOf, enqueuePages } from './enqueue-pages.ts'
import { enqueueListing } from './list-post.ts'

/** Jobs usually write a change within a second. Later, files that differ from the database are wrong. */
const settledSeconds = 30
/**
 * How long ago a withdrawal can be whose files are compared. A store that compares fences refuses late writes itself, and
 * each comparison there costs six requests.
 */
const withdrawnMinutesFor = ({ store }: PublishedSite) => (store.comparesFences ? 60 : 24 * 60)
/** Each run repeats the publications of the runs before it, in case some of those did not take place. */
const publishedMinutes = 10

export type Repaired = { posts: number; pages: number; trees: number }

/**
 * Compares recent withdrawals and publications with the files, and enqueues what differs and no job is going to write.
 * Files differ if a paused process wrote old ones and died before it noticed (see `writeLocked`), or if a job was lost.
 */
export async function repairPages(publishing: Publishing): Promise<Repaired> {
  const repaired: Repaired = { posts: 0, pages: 0, trees: 0 }
  for (const site of publishing.sites.values()) {
    if (await finishSwap(publishing, site)) repaired.trees += 1
    const { posts, unlisted, lists } = await findDifferences(publishing, site)
    await inTransaction(publishing.db, async (tx) => {
      for (const id of posts) await enqueuePostPages(tx, id)
      for (const id of unlisted) await enqueueListing(tx, id)
      await enqueuePages(tx, site.view.kind.name, { lists, others: [] }, publishing.delays)
    })
    repaired.posts += posts.length + unlisted.length
    repaired.pages += lists.length
  }
  return repaired
}

async function findDifferences(publishing: Publishing, site: PublishedSite) {
  const posts: string[] = []
  const unlisted: string[] = []
  const withdrawn = new Set<string>()
  const paths = new Set([''])
  // Before the files are read: a job that is done later is not missed.
  const recentlyWithdrawn = await readWithdrawn(publishing, withdrawnMinutesFor(site))
  const recentlyPublished = await readPublished(publishing, site.view.kind.name)
  const waiting = await readWaitingPages(publishing, site.view.kind.name)
  for await (const { id, kind, paths: listings } of paced(recentlyWithdrawn)) {
    const isOfSite = kind === site.view.kind.name
    if (isOfSite && !(await isGone(site, id))) posts.push(id)
    withdrawn.add(id)
    // An author's page shows the posts of every site.
    for (const path of listings) if (isOfSite || path.startsWith('by/')) paths.add(path)
  }
  for await (const { id, is_listed } of paced(recentlyPublished))
    if (!(await site.store.has(postFile(id, 'html')))) posts.push(id)
    else if (!is_listed) unlisted.push(id)
  const lists: string[] = []
  if (withdrawn.size > 0)
    for await (const path of paced([...paths])) if (await showsAny(site, path, withdrawn)) lists.push(`shelf:${path}`)
  for (const page of datePagesOf(site.view.kind))
    if (await showsAny(site, page.slice('soon:'.length), withdrawn)) lists.push(page)
  for await (const { path, number } of paced(await readFullPages(publishing, site, [...paths])))
    if (await showsAny(site, `${path}/${number + 1}`, withdrawn)) lists.push(`listing-page:${path}/${number}`)
  return { posts, unlisted, lists: lists.filter((page) => !waiting.has(page)) }
}

async function isGone({ store }: PublishedSite, id: string): Promise<boolean> {
  const found = await Promise.all(
    ['gone', 'html', 'json', 'md', 'ics', 'tlog-proof'].map((form) => store.has(postFile(id, form))),
  )
  return found.every((isThere, at) => isThere === (at === 0))
}

/** How each format of a listing names its entries. Text by users is escaped there, and its links are marked `ugc`. */
const entries: Readonly<Record<string, RegExp>> = {
  'index.html': /href="[^"]*\/p\/(post_[0-9a-z]{26})"(?! rel="ugc)/g,
  'index.json': /"url": "[^"]*\/p\/(post_[0-9a-z]{26})"/g,
  'feed.xml': /<link>[^<]*\/p\/(post_[0-9a-z]{26})</g,
}

/** Reads each listing once, however many posts were withdrawn from it. */
async function showsAny({ store }: PublishedSite, path: string, withdrawn: ReadonlySet<string>): Promise<boolean> {
  for (const [name, entry] of Object.entries(entries)) {
    const text = (await store.read(listingFile(path, name)))?.toString('latin1') ?? ''
    if (text.matchAll(entry).some(([, id]) => withdrawn.has(String(id)))) return true
  }
  return false
}

type WithdrawnPost = { id: string; kind: string; paths: string[] }

async function readWithdrawn({ db, clock }: Publishing, minutes: number): Promise<WithdrawnPost[]> {
  const { rows } = await sql<WithdrawnPost>`
    select post_id as id, withdrawals.kind, shelves as paths from withdrawals join posts on posts.id = post_id
    where posts.status <> 'published' and not ${isWaiting('withdrawals')}
      and withdrawn_at between ${clock.now()}::timestamptz - ${sql.lit(minutes)} * interval '1 minute'
        and ${clock.now()}::timestamptz - ${sql.lit(settledSeconds)} * interval '1 second'`.execute(db)
  return rows
}

/** The full pages of these listings that changed lately. */
async function readFullPages({ db, clock }: Publishing, site: PublishedSite, paths: readonly string[]) {
  const { rows } = await sql<{ path: string; number: number }>`
    select path, number from listing_pages where kind = ${site.view.kind.name} and path = any(${paths})
      and changed_at between ${clock.now()}::timestamptz - ${sql.lit(withdrawnMinutesFor(site))} * interval '1 minute'
        and ${clock.now()}::timestamptz - ${sql.lit(settledSeconds)} * interval '1 second'`.execute(db)
  return rows
}

type PublishedPost = { id: string; is_listed: boolean }

async function readPublished({ db, clock }: Publishing, kind: string): Promise<PublishedPost[]> {
  const { rows } = await sql<PublishedPost>`
    select post_id as id, exists (select from publications where publications.post_id = recent.post_id) as is_listed
    from (
      select id as post_id from posts where kind = ${kind} and listed
        and published_at between ${clock.now()}::timestamptz - ${sql.lit(publishedMinutes)} * interval '1 minute'
          and ${clock.now()}::timestamptz - ${sql.lit(settledSeconds)} * interval '1 second'
    ) recent where not ${isWaiting('recent')}`.execute(db)
  return rows
}

/** In a backlog the jobs of a post wait for longer than it usually takes. */
const isWaiting = (alias: string) => hasJob(['publish-post', 'list-post'], ['post_id'], alias)

async function readWaitingPages({ db }: Publishing, kind: string): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ page: string }>`
    select data->>'page' as page from pgboss.job_common
    where name = 'build-page' and state < 'completed' and data->>'kind' = ${kind}`.execute(db)
  return new Set(rows.map(({ page }) => page))
}

/** Reading files blocks the process, so other work gets its turn in between. */
async function* paced<Row>(rows: readonly Row[]): AsyncGenerator<Row> {
  for (const [index, row] of rows.entries()) {
    if (index % 20 === 19) await yieldToOthers()
    yield row
  }
}
