import { inTransaction, type Transaction } from '../../platform/database/database.ts'
import type { PageStore, SiteStore } from '../../platform/page-store/site-store.ts'
import { makePage } from '../jobs/build-page.ts'
import { takeFence } from '../jobs/locks.ts'
import { postView, readProof, selectPostPages } from '../listings/read-posts.ts'
import type { Publishing } from '../publishing.ts'
import { filesOfPost } from '../site-files.ts'
import type { SiteView } from '../views.ts'
import { type Changes, readChanges, readVersion } from './catch-up.ts'
import { readUnfinishedVersion } from './progress-file.ts'

/** `tree`: the tree to change. `at`: the time that pages such as “Today” are for. */
type Target = { site: SiteView; tree: PageStore; at: Date }

/** Writes the current state of changed posts and pages to a tree. */
export async function writeChanges(tx: Transaction, target: Target, { posts, pages }: Changes): Promise<void> {
  const { site, at, tree } = target
  const fence = await takeFence(tx)
  for (const id of posts) {
    const row = await selectPostPages(tx).where('posts.id', '=', id).executeTakeFirstOrThrow()
    const view = postView(site, row)
    await tree.apply(filesOfPost(site, id, view, await readProof(tx, row)), fence)
  }
  for (const page of pages) await tree.apply(await makePage(tx, site, page, at), fence)
}

/**
 * A new tree keeps its progress until the transaction of the swap has committed. If a live tree still has one, the
 * rebuild lost its lock or died: others may have written to the old tree meanwhile. Applies the changes since the
 * rebuild began. Returns whether there was anything to finish.
 */
export async function finishSwap(
  { db, clock, requestPurges }: Pick<Publishing, 'db' | 'clock' | 'requestPurges'>,
  { view, store }: { view: SiteView; store: SiteStore },
): Promise<boolean> {
  const version = await readUnfinishedVersion(store)
  if (version === undefined) return false
  await inTransaction(db, async (tx) => {
    await readVersion(tx, view.kind.name)
    const target = { site: view, tree: store, at: clock.now() }
    await writeChanges(tx, target, await readChanges(tx, view.kind, version))
    await requestPurges?.(tx, view.kind.site.slug, 'all')
  })
  await store.finishSwap()
  return true
}
