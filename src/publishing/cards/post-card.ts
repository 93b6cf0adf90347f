import { hash } from 'node:crypto'
import type { Kind } from '../../kinds/index.ts'
import { longDate } from '../../kinds/presentation/dates.ts'
import type { CardFacts, PublicPost } from '../../kinds/presentation/presentation.ts'
import { type CardLook, lookOf } from './card-look.ts'

/** Increase it when cards look different: gateways then ask for their cards again. */
const cardDesign = 2

/** Everything that a card shows. The texts are as users wrote them. */
export type PostCard = {
  look: CardLook
  /** The name of the site in two parts: the brand, and the rest. */
  plate: readonly [brand: string, sheet: string]
  text: string
  /** Shown instead of a text that our fonts cannot draw: `A message`. */
  noun: string
  /** Empty on a plain card. */
  author: string
  date: string
  facts: CardFacts
}

/** A card depends on nothing but the published post. */
export const cardOf = (kind: Kind, { content, published_at }: PublicPost): PostCard => ({
  ...plainCard(kind),
  text: kind.presentation.hasTitle ? kind.presentation.headline(content) : kind.presentation.text(content),
  author: content.author.name,
  date: longDate(published_at),
  facts: kind.presentation.card?.(content) ?? { details: [] },
})

/** What is shown in place of a card that cannot be drawn. It has nothing of the post. */
export function plainCard(kind: Kind): PostCard {
  const { title, noun } = kind.site
  const [brand = '', ...sheet] = title.split(' ')
  const words = { text: '', author: '', date: '', facts: { details: [] } }
  return { look: lookOf(kind), plate: [brand, sheet.join(' ')], noun, ...words }
}

/** Identifies what a card shows. */
export function fingerprintOf({ look, ...words }: PostCard): string {
  // The same font can be in another folder elsewhere.
  const { face: _, ...colours } = look
  return hash('sha256', JSON.stringify([cardDesign, colours, words])).slice(0, 32)
}
