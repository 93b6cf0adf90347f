import { hash } from 'node:crypto'
import { longDate } from '../../kinds/presentation/dates.ts'
import type { CardFacts, PublicPost } from '../../kinds/presentation/presentation.ts'
import type { PageStore } from '../../platform/page-store/site-store.ts'
import type { SiteView } from '../views.ts'
import { type CardLook, lookOf } from './card-look.ts'
import { fingerprintIn } from './png.ts'

/** Increase it when cards look different: older ones are then drawn again by a rebuild. */
export const cardDesign = 2

/** Everything that a card shows. The texts are as users wrote them. */
export type PostCard = {
  look: CardLook
  /** The name of the site in two parts: the brand, and the rest. */
  plate: readonly [brand: string, sheet: string]
  text: string
  /** Shown instead of a text that our fonts cannot draw: `A message`. */
  noun: string
  author: string
  date: string
  facts: CardFacts
}

/** A card depends on nothing but the post, so that a rebuild draws the same one. */
export function cardOf({ kind }: SiteView, post: PublicPost): PostCard {
  const { presentation, site } = kind
  const [brand = '', ...sheet] = site.title.split(' ')
  return {
    look: lookOf(kind),
    plate: [brand, sheet.join(' ')],
    text: presentation.hasTitle ? presentation.headline(post.content) : presentation.text(post.content),
    noun: site.noun,
    author: post.content.author.name,
    date: longDate(post.published_at),
    facts: presentation.card?.(post.content) ?? { details: [] },
  }
}

/** Identifies what a card shows. It is stored in the file, so that a card of an older text is recognised. */
export function fingerprintOf({ look, ...words }: PostCard): string {
  // The same font can be in another folder elsewhere.
  const { face: _, ...colours } = look
  return hash('sha256', JSON.stringify([cardDesign, colours, words])).slice(0, 32)
}

type Trees = readonly Pick<PageStore, 'read'>[]

/**
 * The stored card of a post, from the first of these trees that has it. A card of an older text does not count: it must
 * not stay longer than the text itself.
 */
export async function findCard(card: PostCard, path: string, trees: Trees): Promise<Buffer | undefined> {
  for (const tree of trees) {
    const found = await tree.read(path)
    if (found && isCurrent(found, card)) return found
  }
  return undefined
}

/** What a new version of a post does with its card: null if it shows an older text. */
export async function keptCard(card: PostCard, path: string, store: Trees[number]): Promise<'kept' | null> {
  const found = await store.read(path)
  return !found || isCurrent(found, card) ? 'kept' : null
}

const isCurrent = (found: Buffer, card: PostCard) => fingerprintIn(found) === fingerprintOf(card)
