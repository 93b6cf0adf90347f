import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { openPageStore } from '../../platform/page-store/page-store.ts'
import { makePage } from '../jobs/build-page.ts'
import { postView, selectPosts } from '../listings/read-posts.ts'
import { cardFile, filesOfPost, postFile } from '../site-files.ts'
import type { SiteView } from '../views.ts'
import { type Changes, readChanges, readVersion } from './catch-up.ts'
import { deleteProgress, readVersionOf } from './progress-file.ts'

/** `live`: the tree that readers see, which may have a card already. */
type Trees = { tree: string; live: string }

/**
 * Writes the current state of changed posts and pages to a tree. Draws no cards, because everybody may be waiting:
 * returns the posts without one.
 */
export async function writeChanges(
  tx: Transaction,
  site: SiteView,
  trees: Trees,
  { posts, pages }: Changes,
): Promise<string[]> {
  const store = openPageStore(trees.tree)
  const live = openPageStore(trees.live)
  const lacking: string[] = []
  for (const id of posts) {
    const row = await selectPosts(tx).where('posts.id', '=', id).executeTakeFirstOrThrow()
    const view = postView(site, row)
    const files = filesOfPost(site, id, view, [live, store])
    await store.apply(files)
    if (view && !files.get(cardFile(id))) lacking.push(id)
  }
  for (const page of pages) await store.apply(await makePage(tx, site, page))
  return lacking
}

/**
 * Copies the cards that workers have drawn into the live tree meanwhile. Call it while nobody writes to the site: a card
 * that is still missing then has a job, which writes it to the new tree.
 */
export async function copyCards({ tree, live }: Trees, posts: ReadonlySet<string>): Promise<void> {
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
export async function finishSwap(db: Database, { view, tree }: { view: SiteView; tree: string }): Promise<boolean> {
  const version = await readVersionOf(tree)
  if (version === undefined) return false
  await inTransaction(db, async (tx) => {
    await readVersion(tx, view.kind.name)
    await writeChanges(tx, view, { tree, live: tree }, await readChanges(tx, view.kind.name, version))
  })
  await deleteProgress(tree)
  return true
}
