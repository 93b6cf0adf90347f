import type { Database } from '../../platform/database/database.ts'
import type { Files, PageStore } from '../../platform/page-store/site-store.ts'
import { CardFailed, type CardPainter } from '../cards/card-painter.ts'
import { cardOf, findCard, type PostCard } from '../cards/post-card.ts'
import { makePage } from '../jobs/build-page.ts'
import { takeFence } from '../jobs/locks.ts'
import { type PostPageRow, postView, readProof, selectPostPages } from '../listings/read-posts.ts'
import { cardFile, filesOfPost } from '../site-files.ts'
import type { SiteView } from '../views.ts'

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
  const fence = await takeFence(db)
  if ('pages' in piece)
    return applyAll(Math.max(pagesAtOnce, store.writesAtOnce), piece.pages, async (page) =>
      store.apply(await makePage(db, site, page, at), fence),
    )
  return applyAll(store.writesAtOnce, await readRange(db, site.kind.name, piece.posts), async (row) =>
    store.apply(await makePost(place, row), fence),
  )
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

/** The files of a post. Its card is drawn now if the live tree has none. */
async function makePost({ db, site, store, live, cards }: Place, row: PostPageRow): Promise<Files> {
  const { id } = row
  const view = postView(site, row)
  if (!view) return filesOfPost(site, id, view)
  const wanted = cardOf(site, view.post)
  const card = (await findCard(wanted, cardFile(id), live ? [live, store] : [store])) ?? (await draw(cards, wanted))
  return filesOfPost(site, id, view, { card, proof: await readProof(db, row) })
}

async function draw(cards: CardPainter | undefined, card: PostCard): Promise<Buffer | null> {
  if (cards?.missing.length !== 0) return null
  return cards.draw(card).catch((error) => {
    if (error instanceof CardFailed) return null
    throw error
  })
}

const readRange = (db: Database, kind: string, { after, upTo }: { after: string; upTo: string }) =>
  selectPostPages(db)
    .where('posts.id', '>', after)
    .where('posts.id', '<=', upTo)
    .where('posts.kind', '=', kind)
    .where('posts.published_at', 'is not', null)
    .execute()
