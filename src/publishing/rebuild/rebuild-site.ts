import { sql } from 'kysely'
import packageFile from '../../../package.json' with { type: 'json' }
import type { Clock } from '../../platform/clock.ts'
import { withAdvisoryLock } from '../../platform/database/advisory-lock.ts'
import { type Database, inTransaction } from '../../platform/database/database.ts'
import { openPages, type PagesPlace } from '../../platform/page-store/open-pages.ts'
import type { SiteStore } from '../../platform/page-store/site-store.ts'
import type { RequestPurges } from '../jobs/cdn-purges.ts'
import { rebuildLock } from '../jobs/locks.ts'
import { archivePageSize, type SiteView } from '../views.ts'
import { addMissingPosts } from './add-missing-posts.ts'
import { readChanges, readVersion } from './catch-up.ts'
import { finishSwap, writeChanges } from './finish-swap.ts'
import { pagePieces, postPieces } from './pieces.ts'
import { type RebuildProgress, readProgress, writeProgress } from './progress-file.ts'
import { writeInThreads } from './threads.ts'

export type Rebuild = {
  db: Database
  clock: Clock
  /** The URL for broadside_worker, which the threads use. */
  databaseUrl: string
  site: SiteView
  pages: PagesPlace
  threads: number
  /** Static files in addition to the pages: documents and style sheets, by path. */
  documents: ReadonlyMap<string, string | Buffer>
  /** Tells a CDN to forget the site. Without it, there is no CDN. */
  requestPurges?: RequestPurges | undefined
  onProgress: (done: number, total: number) => void
  /** Whether to write every file, instead of linking files that are the same in the live tree. */
  linksNothing?: boolean
}

export type Rebuilt = { posts: number; pages: number; files: number; isResumed: boolean }

export class AlreadyRebuilding extends Error {}

/**
 * Builds a site from the database into a new tree while the live one keeps changing. Then it applies the changes made
 * meanwhile and swaps in the new tree.
 */
export function rebuildSite(rebuild: Rebuild): Promise<Rebuilt> {
  const kind = rebuild.site.kind.name
  const refuse = () => {
    throw new AlreadyRebuilding(`another rebuild of ${kind} is running`)
  }
  return withAdvisoryLock(rebuild.db, rebuildLock(kind), () => rebuildAlone(rebuild), refuse)
}

async function rebuildAlone(rebuild: Rebuild): Promise<Rebuilt> {
  const { db, clock, site } = rebuild
  const kind = site.kind.name
  await using pages = openPages(rebuild.pages)
  const store = await pages.openSite(site.kind.site.slug)
  await finishSwap(rebuild, { view: site, store })
  await store.deleteOldTrees()
  await addMissingPosts(db, site.kind, clock)
  const maker = JSON.stringify([packageFile.version, process.version, baseUrlsOf(site)])
  const found = await readProgress(store, maker, clock.now())
  const progress = found ?? {
    ...{ startedAt: clock.now().toISOString(), maker, postsDone: '', shelvesDone: null },
    version: await inTransaction(db, (tx) => readVersion(tx, kind)),
  }
  if (!found) await writeProgress(store, progress)
  const counted = await writeAll(rebuild, store, progress)
  counted.files += await store.next({ isSyncedLater: true }).apply(rebuild.documents)
  await store.syncNext()
  await takeOver(rebuild, store, progress.version)
  return { ...counted, isResumed: found !== undefined }
}

async function writeAll(rebuild: Rebuild, store: SiteStore, progress: RebuildProgress) {
  const { db, site, threads, databaseUrl, pages: place, onProgress } = rebuild
  const kind = site.kind.name
  const data = {
    databaseUrl,
    baseUrls: baseUrlsOf(site),
    kind,
    place,
    at: rebuild.clock.now().toISOString(),
    usesLive: !rebuild.linksNothing,
  }
  const counted = { posts: 0, pages: 0, files: 0 }
  const total = await countWork(db, kind, progress)
  const done = async (count: number, files: number, what: 'posts' | 'pages') => {
    counted[what] += count
    counted.files += files
    onProgress(Math.min(counted.posts + counted.pages, total), total)
    await writeProgress(store, progress)
  }
  await writeInThreads(threads, data, postPieces(db, kind, progress.postsDone), async ({ upTo, count }, files) => {
    progress.postsDone = upTo
    await done(count, files, 'posts')
  })
  const pages = pagePieces(db, site.kind, progress.shelvesDone)
  await writeInThreads(threads, data, pages, async ({ shelvesDone, count }, files) => {
    progress.shelvesDone = shelvesDone ?? progress.shelvesDone
    await done(count, files, 'pages')
  })
  onProgress(total, total)
  return counted
}

/** Counts posts and listings exactly, and estimates the archive pages. The few other pages are ignored. */
async function countWork(db: Database, kind: string, { postsDone, shelvesDone }: RebuildProgress): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from publications where kind = ${kind} and post_id > ${postsDone})
      + (select count(*) from shelves where kind = ${kind} and path > ${shelvesDone ?? ''})
      + (select count(*) from listing_pages where kind = ${kind} and path > ${shelvesDone ?? ''})
      + (select count(*) / ${sql.lit(archivePageSize)} from publications where kind = ${kind}) as count`.execute(db)
  return rows[0]?.count ?? 0
}

/** Few enough to apply while all writers wait for the swap. */
const fewChanges = 50

/**
 * Applies changes repeatedly until few are left. Then it applies the rest and swaps the trees while no other process
 * writes to the site.
 */
async function takeOver(rebuild: Rebuild, store: SiteStore, from: number): Promise<void> {
  const { db, clock, site } = rebuild
  const kind = site.kind.name
  const target = { site, tree: store.next() }
  let after = from
  for (let round = 0; round < 20; round++) {
    const upTo = await inTransaction(db, (tx) => readVersion(tx, kind))
    const changes = await inTransaction(db, (tx) => readChanges(tx, site.kind, after))
    await inTransaction(db, (tx) => writeChanges(tx, { ...target, at: clock.now() }, changes))
    after = upTo
    if (changes.posts.length <= fewChanges) break
  }
  let isSwapped = false
  try {
    await inTransaction(db, async (tx) => {
      await readVersion(tx, kind)
      await writeChanges(tx, { ...target, at: clock.now() }, await readChanges(tx, site.kind, after))
      await rebuild.requestPurges?.(tx, site.kind.site.slug, 'all')
      await store.swap()
      isSwapped = true
    })
    await store.finishSwap()
  } catch (error) {
    if (!isSwapped) throw error
    // The lock was lost before the swap, so the old tree may have changes that the new one lacks.
    await finishSwap(rebuild, { view: site, store })
  }
  await store.deleteOldTrees()
}

const baseUrlsOf = ({ family }: SiteView): Record<string, string> =>
  Object.fromEntries(family.map(({ kind, baseUrl }) => [kind, baseUrl]))
