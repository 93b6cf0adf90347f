import { type Database, inTransaction } from '../../platform/database/database.ts'
import type { PageStore } from '../../platform/page-store/page-store.ts'
import { makePage } from '../jobs/build-page.ts'
import { postView, selectPostPages } from '../listings/read-posts.ts'
import { filesOfPost } from '../site-files.ts'
import type { SiteView } from '../views.ts'

/** A piece of a rebuild: a range of post identifiers, or pages by name. */
export type Piece = { posts: { after: string; upTo: string } } | { pages: string[] }

type Place = { db: Database; site: SiteView; store: PageStore; at: Date }

/** Writes one piece and returns the number of files. The size of the piece limits the memory use. */
export async function writePiece({ db, site, store, at }: Place, piece: Piece): Promise<number> {
  let written = 0
  if ('pages' in piece)
    for (const page of piece.pages)
      written += await store.apply(await inTransaction(db, (tx) => makePage(tx, site, page, at)))
  else
    for (const row of await readRange(db, site.kind.name, piece.posts))
      written += await store.apply(filesOfPost(site, row.id, postView(site, row)))
  return written
}

const readRange = (db: Database, kind: string, { after, upTo }: { after: string; upTo: string }) =>
  selectPostPages(db)
    .where('posts.id', '>', after)
    .where('posts.id', '<=', upTo)
    .where('posts.kind', '=', kind)
    .where('posts.published_at', 'is not', null)
    .execute()
