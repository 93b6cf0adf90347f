import { enqueue } from '../../jobs/enqueue.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { enqueuePostPages } from '../../posts/status/change-status.ts'
import { CardFailed } from '../cards/card-painter.ts'
import { cardOf, findCard, fingerprintOf, type PostCard } from '../cards/post-card.ts'
import { selectPosts, shown } from '../listings/read-posts.ts'
import type { PublishedSite, Publishing } from '../publishing.ts'
import { cardFile } from '../site-files.ts'
import { writeLocked } from './write-locked.ts'

/** Enqueues the card of a post. */
export const enqueueCard = (tx: Transaction, postId: string): Promise<void> =>
  enqueue(tx, 'draw-card', { post_id: postId }, { once: postId })

/**
 * Draws the card of a published post, unless it has the current one. The drawing holds no lock, so that a takedown never
 * waits for it; if the post has changed meanwhile, the card is thrown away, and the change has enqueued another. A card
 * that cannot be drawn is counted and left out: `repairPages` enqueues it again while the post is new.
 */
export async function drawCard(publishing: Publishing, { post_id: postId }: { post_id: string }): Promise<void> {
  const { cards, observe } = publishing
  const startedAt = performance.now()
  const found = await readCardOf(publishing, postId)
  if (!cards || cards.missing.length > 0 || !found) return
  const { site, card } = found
  if (await findCard(card, cardFile(postId), [site.store])) return
  const seconds = () => (performance.now() - startedAt) / 1_000
  try {
    const files = await writeCard(publishing, { site, postId, card, png: await cards.draw(card) })
    observe?.({ work: 'draw-card', files, seconds: seconds() })
  } catch (error) {
    if (!(error instanceof CardFailed)) throw error
    observe?.({ work: 'draw-card', files: 0, seconds: seconds(), failure: error.reason })
  }
}

async function readCardOf({ db, sites }: Publishing, postId: string) {
  const row = await selectPosts(db).select('posts.kind').where('posts.id', '=', postId).executeTakeFirst()
  const site = row && sites.get(row.kind)
  return site && row.status === 'published' ? { site, card: cardOf(site.view, shown(site.view, row)) } : undefined
}

type Drawn = { site: PublishedSite; postId: string; card: PostCard; png: Buffer }

/** Under the lock of the post's other files, so that a takedown removes them all together. */
function writeCard(
  { db, requestPurges }: Publishing,
  { site: { view, store }, postId, card, png }: Drawn,
): Promise<number> {
  return writeLocked(db, {
    kind: view.kind.name,
    site: view.kind.site.slug,
    page: postId,
    store,
    requestPurges,
    makeFiles: async (tx) => {
      const row = await selectPosts(tx).where('posts.id', '=', postId).executeTakeFirst()
      const isCurrent =
        row?.status === 'published' && fingerprintOf(cardOf(view, shown(view, row))) === fingerprintOf(card)
      return isCurrent ? new Map([[cardFile(postId), png]]) : new Map()
    },
    enqueueAgain: (tx) => enqueuePostPages(tx, postId),
  })
}
