import type { Kind } from '../../kinds/index.ts'
import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import type { ListingView, SiteView } from '../views.ts'

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

/** Where the page of a shelf stands, with the last slash; a feed of it has its file name behind. */
export const listingUrl = ({ baseUrl }: SiteView, { path }: Pick<ListingView, 'path'>): string =>
  path === '' ? `${baseUrl}/` : `${baseUrl}/${path}/`

/** What a feed of it is called where it stands among others. */
export const listingTitle = ({ kind }: SiteView, { name }: Pick<ListingView, 'name'>): string =>
  name === '' ? kind.site.title : `${name} · ${kind.site.title}`
