import type { Kind } from '../kinds/index.ts'
import type { Occasion, PublicPost } from '../kinds/presentation/presentation.ts'
import type { Sites } from '../posts/sites.ts'

/** All that a page needs to know of its site, and of the family. */
export type SiteView = {
  kind: Kind
  baseUrl: string
  /** Every site, this one included, in the order of the kinds. */
  family: readonly { kind: string; slug: string; title: string; tagline: string; baseUrl: string }[]
}

/** A post on its own page. `isOver`: it has expired or ended, and left the lists. */
export type PostView = { post: PublicPost; isOver: boolean }

/**
 * A shelf is where posts stand together: the front page, a topic, a place. `path` is what stands between the site's
 * address and its page: `` (the front page), `topics/ferries`, `places/pt/pt-11/2267057`.
 */
export type ListingLink = { path: string; name: string; count: number }

export type ListingView = {
  path: string
  /** What people call it: `ferries`, `Lisbon`; nothing for the front page. */
  name: string
  /** The shelves around it, widest first: Portugal, Lisboa. */
  parents: readonly { path: string; name: string }[]
  /** Those listed now in the order of the page, at most `listingSize`. */
  posts: readonly PublicPost[]
  /** The same, last published first: for feeds. */
  newest: readonly PublicPost[]
  /** What was taken down in the last 30 days and had a time: for calendars. */
  withdrawn: readonly Withdrawn[]
  /** How many are listed now. */
  listedCount: number
  /** How many have been published and still stand, over or not. */
  standingCount: number
  /** Places within this one, largest first; on the front page, the largest topics and countries. */
  topics: readonly ListingLink[]
  places: readonly ListingLink[]
}

export type Withdrawn = { id: string; withdrawn_at: string; occasion: Occasion }

/** Fifty posts of a month in the order of their publication; pages are numbered from the oldest. */
export type ArchivePageView = {
  /** `2026-11` */
  month: string
  number: number
  posts: readonly PublicPost[]
  hasPrevious: boolean
  hasNext: boolean
}

export type ArchiveIndexView = { months: readonly { month: string; pages: number }[] }

/** All topics, or all countries, with posts listed now; largest first. */
export type IndexView = { shelves: readonly ListingLink[] }

export const listingSize = 30
export const archivePageSize = 50
/** Posts in one part of the sitemap. Small, since it is written again with each of them until it is full. */
export const sitemapSize = 1_000
/** How many coming events a calendar file holds. */
export const calendarSize = 100

/** Every site as its pages know it, by the name of its kind. */
export function siteViews(sites: Sites): ReadonlyMap<string, SiteView> {
  const family = [...sites.values()].map(({ kind, baseUrl }) => ({ ...kind.site, kind: kind.name, baseUrl }))
  return new Map([...sites].map(([name, { kind, baseUrl }]) => [name, { kind, baseUrl, family }]))
}
