import type { Database } from '../../platform/database/database.ts'
import type { PageStore } from '../../platform/page-store/site-store.ts'
import { makePage } from '../jobs/build-page.ts'
import { takeFence } from '../jobs/locks.ts'
import { postView, readProof, selectPostPages } from '../listings/read-posts.ts'
import { filesOfPost } from '../site-files.ts'
import type { SiteView } from '../views.ts'

/** A piece of a rebuild: a range of post identifiers, or pages by name. */
export type Piece = { posts: { after: string; upTo: string } } | { pages: string[] }

type Place = {
  db: Database
  site: SiteView
  store: PageStore
  /** The time that pages such as “Today” are for. */
  at: Date
}

/** Writes one piece and returns the number of files. The size of the piece limits the memory use. */
export async function writePiece({ db, site, store, at }: Place, piece: Piece): Promise<number> {
  const fence = await takeFence(db)
  if ('pages' in piece)
    return applyAll(Math.max(pagesAtOnce, store.writesAtOnce), piece.pages, async (page) =>
      store.apply(await makePage(db, site, page, at), fence),
    )
  return applyAll(store.writesAtOnce, await readRange(db, site.kind.name, piece.posts), async (row) => {
    const view = postView(site, row)
    return store.apply(filesOfPost(site, row.id, view, view ? await readProof(db, row) : null), fence)
  })
}

/** A page takes several short statements. Meanwhile, other pages are rendered. */
export const pagesAtOnce = 6

/** Writes this many items at the same time. Returns the number of files. */
async function applyAll<Item>(
  atOnce: number,
  items: readonly Item[],
  write: (item: Item) => Promise<number>,
): Promise<number> {
  const waiting = items.values()
  let written = 0
  const work = async () => {
    // Not `written += await …`, which adds to the number from before the wait.
    for (const item of waiting) {
      const files = await write(item)
      written += files
    }
  }
  await Promise.all(Array.from({ length: atOnce }, work))
  return written
}

const readRange = (db: Database, kind: string, { after, upTo }: { after: string; upTo: string }) =>
  selectPostPages(db)
    .where('posts.id', '>', after)
    .where('posts.id', '<=', upTo)
    .where('posts.kind', '=', kind)
    .where('posts.published_at', 'is not', null)
    .execute()
