import type { Clock } from '../../platform/clock.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { openPageStore } from '../../platform/page-store/page-store.ts'
import { makePage } from '../jobs/build-page.ts'
import { postView, selectPostPages } from '../listings/read-posts.ts'
import { filesOfPost } from '../site-files.ts'
import type { SiteView } from '../views.ts'
import { type Changes, readChanges, readVersion } from './catch-up.ts'
import { deleteProgress, readVersionOf } from './progress-file.ts'

/** `at`: the time that pages such as “Today” are for. */
type Target = { site: SiteView; tree: string; at: Date }

/** Writes the current state of changed posts and pages to a tree. */
export async function writeChanges(tx: Transaction, { site, tree, at }: Target, { posts, pages }: Changes) {
  const store = openPageStore(tree)
  for (const id of posts) {
    const row = await selectPostPages(tx).where('posts.id', '=', id).executeTakeFirstOrThrow()
    await store.apply(filesOfPost(site, id, postView(site, row)))
  }
  for (const page of pages) await store.apply(await makePage(tx, site, page, at))
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
    await writeChanges(tx, { site: view, tree, at: clock.now() }, await readChanges(tx, view.kind, version))
  })
  await deleteProgress(tree)
  return true
}
