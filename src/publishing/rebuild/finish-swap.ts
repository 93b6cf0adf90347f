import type { Clock } from '../../platform/clock.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import type { PageStore, SiteStore } from '../../platform/page-store/site-store.ts'
import { cardOf, findCard } from '../cards/post-card.ts'
import { makePage } from '../jobs/build-page.ts'
import { takeFence } from '../jobs/locks.ts'
import { postView, readProof, selectPostPages } from '../listings/read-posts.ts'
import { cardFile, filesOfPost, postFile } from '../site-files.ts'
import type { SiteView } from '../views.ts'
import { type Changes, readChanges, readVersion } from './catch-up.ts'
import { readUnfinishedVersion } from './progress-file.ts'

/**
 * `tree`: the tree to change. `live`: the one that readers see, which may have a card already. `at`: the time that pages
 * such as “Today” are for.
 */
type Target = { site: SiteView; tree: PageStore; live: PageStore; at: Date }

/**
 * Writes the current state of changed posts and pages to a tree. Draws no cards, because everybody may be waiting:
 * returns the posts without one.
 */
export async function writeChanges(tx: Transaction, target: Target, { posts, pages }: Changes): Promise<string[]> {
  const { site, at, tree, live } = target
  const fence = await takeFence(tx)
  const lacking: string[] = []
  for (const id of posts) {
    const row = await selectPostPages(tx).where('posts.id', '=', id).executeTakeFirstOrThrow()
    const view = postView(site, row)
    const card = (view && (await findCard(cardOf(site, view.post), cardFile(id), [live, tree]))) ?? null
    await tree.apply(filesOfPost(site, id, view, { card, proof: await readProof(tx, row) }), fence)
    if (view && !card) lacking.push(id)
  }
  for (const page of pages) await tree.apply(await makePage(tx, site, page, at), fence)
  return lacking
}

/**
 * Copies the cards that workers have drawn into the live tree meanwhile. Call it while nobody writes to the site: a card
 * that is still missing then has a job, which writes it to the new tree.
 */
export async function copyCards(
  tx: Transaction,
  { tree, live }: Pick<Target, 'tree' | 'live'>,
  posts: ReadonlySet<string>,
): Promise<void> {
  const fence = await takeFence(tx)
  for (const id of posts) {
    const card = await live.read(cardFile(id))
    if (card && (await tree.has(postFile(id, 'html')))) await tree.apply(new Map([[cardFile(id), card]]), fence)
  }
}

/**
 * A new tree keeps its progress until the transaction of the swap has committed. If a live tree still has one, the
 * rebuild lost its lock or died: others may have written to the old tree meanwhile. Applies the changes since the
 * rebuild began. Returns whether there was anything to finish.
 */
export async function finishSwap(
  { db, clock }: { db: Database; clock: Clock },
  { view, store }: { view: SiteView; store: SiteStore },
): Promise<boolean> {
  const version = await readUnfinishedVersion(store)
  if (version === undefined) return false
  await inTransaction(db, async (tx) => {
    await readVersion(tx, view.kind.name)
    const target = { site: view, tree: store, live: store, at: clock.now() }
    await writeChanges(tx, target, await readChanges(tx, view.kind, version))
  })
  await store.finishSwap()
  return true
}
