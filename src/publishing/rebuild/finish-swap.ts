import type { Clock } from '../../platform/clock.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { openPageStore } from '../../platform/page-store/page-store.ts'
import { makePage } from '../jobs/build-page.ts'
import { postView, selectPostPages } from '../listings/read-posts.ts'
import { cardFile, filesOfPost, postFile } from '../site-files.ts'
import type { SiteView } from '../views.ts'
import { type Changes, readChanges, readVersion } from './catch-up.ts'
import { deleteProgress, readVersionOf } from './progress-file.ts'

/** `live`: the tree that readers see, which may have a card already. `at`: the time that pages such as “Today” are for. */
type Target = { site: SiteView; tree: string; live: string; at: Date }

/**
 * Writes the current state of changed posts and pages to a tree. Draws no cards, because everybody may be waiting:
 * returns the posts without one.
 */
export async function writeChanges(tx: Transaction, target: Target, { posts, pages }: Changes): Promise<string[]> {
  const { site, at } = target
  const store = openPageStore(target.tree)
  const live = openPageStore(target.live)
  const lacking: string[] = []
  for (const id of posts) {
    const row = await selectPostPages(tx).where('posts.id', '=', id).executeTakeFirstOrThrow()
    const view = postView(site, row)
    const files = filesOfPost(site, id, view, [live, store])
    await store.apply(files)
    if (view && !files.get(cardFile(id))) lacking.push(id)
  }
  for (const page of pages) await store.apply(await makePage(tx, site, page, at))
  return lacking
}

/**
 * Copies the cards that workers have drawn into the live tree meanwhile. Call it while nobody writes to the site: a card
 * that is still missing then has a job, which writes it to the new tree.
 */
export async function copyCards(
  { tree, live }: Pick<Target, 'tree' | 'live'>,
  posts: ReadonlySet<string>,
): Promise<void> {
  const [store, source] = [openPageStore(tree), openPageStore(live)]
  for (const id of posts) {
    const card = source.read(cardFile(id))
    if (card && store.has(postFile(id, 'html'))) await store.apply(new Map([[cardFile(id), card]]))
  }
}

/**
 * A new tree keeps its progress file until the transaction of the swap has committed. If a live tree still has one, the
 * rebuild lost its lock or died: others may have written to the old tree meanwhile. Applies the changes since the
 * rebuild began. Returns whether there was anything to finish.
 */
export async function finishSwap(
  { db, clock }: { db: Database; clock: Clock },
  { view, tree }: { view: SiteView; tree: string },
): Promise<boolean> {
  const version = await readVersionOf(tree)
  if (version === undefined) return false
  await inTransaction(db, async (tx) => {
    await readVersion(tx, view.kind.name)
    const target = { site: view, tree, live: tree, at: clock.now() }
    await writeChanges(tx, target, await readChanges(tx, view.kind, version))
  })
  await deleteProgress(tree)
  return true
}
