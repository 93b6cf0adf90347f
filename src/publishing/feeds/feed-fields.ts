import type { Kind } from '../../kinds/index.ts'
import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import type { ListingView, SiteView } from '../views.ts'

/** The topics of a post; a kind may have none. */
export function topicsOf(kind: Kind, post: PublicPost): readonly string[] {
  const { topics } = kind.facets(post.content)
  return Array.isArray(topics) ? topics : []
}

/** The time of the last public change. */
export const changedAt = (post: PublicPost): string => post.edited_at ?? post.published_at

/** `Price: €1,450. Condition: good.` */
export const factsLine = (facts: readonly { label: string; value: string }[]): string =>
  facts.map(({ label, value }) => `${label}: ${value}.`).join(' ')

/** The URL of a listing page, with a trailing slash. Feed URLs append a file name to it. */
export const listingUrl = ({ baseUrl }: SiteView, { path }: Pick<ListingView, 'path'>): string =>
  path === '' ? `${baseUrl}/` : `${baseUrl}/${path}/`

/** The title of a feed in a list of feeds. */
export const listingTitle = ({ kind }: SiteView, { name }: Pick<ListingView, 'name'>): string =>
  name === '' ? kind.site.title : `${name} · ${kind.site.title}`
