import { type Database, inTransaction } from '../../platform/database/database.ts'
import type { Files, PageStore } from '../../platform/page-store/page-store.ts'
import { CardFailed, type CardPainter } from '../cards/card-painter.ts'
import { cardOf } from '../cards/post-card.ts'
import { makePage } from '../jobs/build-page.ts'
import { postView, selectPostPages } from '../listings/read-posts.ts'
import { cardFile, filesOfPost } from '../site-files.ts'
import type { PostView, SiteView } from '../views.ts'

/** A piece of a rebuild: a range of post identifiers, or pages by name. */
export type Piece = { posts: { after: string; upTo: string } } | { pages: string[] }

type Place = {
  db: Database
  site: SiteView
  store: PageStore
  /** Draws the cards that the live tree lacks. */
  cards: CardPainter | undefined
  /** The live tree, whose cards are used again. */
  live: PageStore | undefined
  /** The time that pages such as “Today” are for. */
  at: Date
}

/** Writes one piece and returns the number of files. The size of the piece limits the memory use. */
export async function writePiece(place: Place, piece: Piece): Promise<number> {
  const { db, site, store, at } = place
  let written = 0
  if ('pages' in piece)
    for (const page of piece.pages)
      written += await store.apply(await inTransaction(db, (tx) => makePage(tx, site, page, at)))
  else
    for (const row of await readRange(db, site.kind.name, piece.posts))
      written += await store.apply(await makePost(place, row.id, postView(site, row)))
  return written
}

/** The files of a post. Its card is drawn now if the live tree has none. */
async function makePost({ site, store, live, cards }: Place, id: string, view: PostView | undefined): Promise<Files> {
  const files = filesOfPost(site, id, view, live ? [store, live] : [store])
  if (!view || files.get(cardFile(id)) || cards?.missing.length !== 0) return files
  const card = await cards.draw(cardOf(site, view.post)).catch((error) => {
    if (error instanceof CardFailed) return null
    throw error
  })
  return new Map([...files, [cardFile(id), card]])
}

const readRange = (db: Database, kind: string, { after, upTo }: { after: string; upTo: string }) =>
  selectPostPages(db)
    .where('posts.id', '>', after)
    .where('posts.id', '<=', upTo)
    .where('posts.kind', '=', kind)
    .where('posts.published_at', 'is not', null)
    .execute()
