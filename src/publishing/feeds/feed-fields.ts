import type { Kind } from '../../kinds/index.ts'
import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import type { ListingPageView, ListingView, SiteView } from '../views.ts'

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

/** What a feed shows: the newest posts of a listing, or a full page of it. */
export type FeedView = Pick<ListingView, 'path' | 'name' | 'newest'> & {
  /** The full page that this feed shows; null for the newest posts. */
  page: number | null
  /** The full pages before and after this feed. */
  older: number | null
  newer: number | null
}

export const feedOfListing = ({ path, name, newest, lastPage }: ListingView): FeedView => ({
  ...{ path, name, newest, page: null, older: lastPage, newer: null },
})

export const feedOfPage = ({ path, name, posts, number, older, newer }: ListingPageView): FeedView => ({
  ...{ path, name, newest: posts, page: number, older, newer },
})

/** The URL of a full page of a listing. The listing itself is page 1, so the oldest full page is page 2. */
export const pageUrl = (site: SiteView, view: Pick<ListingView, 'path'>, number: number): string =>
  `${listingUrl(site, view)}${number + 1}/`

/** The URL of the page that has the same posts as a feed. */
export const feedPageUrl = (site: SiteView, view: FeedView): string =>
  view.page === null ? listingUrl(site, view) : pageUrl(site, view, view.page)

/** The title of a feed in a list of feeds. */
export const listingTitle = ({ kind }: SiteView, { name }: Pick<ListingView, 'name'>): string =>
  name === '' ? kind.site.title : `${name} · ${kind.site.title}`
