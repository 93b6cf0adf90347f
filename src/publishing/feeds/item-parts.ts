import type { Kind } from '../../kinds/index.ts'
import type { PublicPost } from '../../kinds/presentation.ts'

/** What it can be found by as a topic; a kind may have none. */
export function topicsOf(kind: Kind, post: PublicPost): readonly string[] {
  const { topics } = kind.facets(post.content)
  return Array.isArray(topics) ? topics : []
}

/** When the public last saw a change of it. */
export const changedAt = (post: PublicPost): string => post.edited_at ?? post.published_at

/** `Price: €1,450. Condition: good.` */
export const factsLine = (facts: readonly { label: string; value: string }[]): string =>
  facts.map(({ label, value }) => `${label}: ${value}.`).join(' ')
