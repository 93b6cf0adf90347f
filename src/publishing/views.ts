import type { Kind } from '../kinds/index.ts'
import type { Occasion, PublicPost } from '../kinds/presentation/presentation.ts'
import type { Sites } from '../posts/sites.ts'

export type FamilyMember = {
  kind: string
  definition: Kind
  slug: string
  title: string
  tagline: string
  baseUrl: string
}

/** The data about a site and the other sites that every page needs. */
export type SiteView = {
  kind: Kind
  baseUrl: string
  /** All sites, including this one, in the order of the kinds. */
  family: readonly FamilyMember[]
}

/**
 * A post on its own page. `isOver` means that it has expired or ended and is no longer listed. `check` is the decision
 * that published its current text.
 */
export type PostView = { post: PublicPost; isOver: boolean; check?: PostCheck | undefined }

export type PostCheck = { by: 'rules' | 'rules and model' | 'a person'; seconds: number; policyVersion: string }

/**
 * A listing groups posts: the front page, a topic or a place. `path` is the path of its page on the site: `` (the front
 * page), `topics/ferries`, `places/pt/pt-11/2267057`.
 */
export type ListingLink = { path: string; name: string; count: number }

/** What comes before and after a month; null at the ends. */
export type Neighbours<Link> = { previous: Link | null; next: Link | null }

export type ListingView = {
  path: string
  /** The display name: `ferries`, `Lisbon`; empty for the front page. */
  name: string
  /** The listings that contain this one, widest first: Germany, Bavaria. */
  parents: readonly { path: string; name: string }[]
  /** The currently listed posts in page order. */
  posts: readonly PublicPost[]
  /** The same posts, latest first: for feeds. */
  newest: readonly PublicPost[]
  /** Events taken down lately: for calendars. */
  withdrawn: readonly Withdrawn[]
  /** Number of currently listed posts. */
  listedCount: number
  /** Number of posts that were published and not taken down, including those that are over. */
  standingCount: number
  /** Places within this one, largest first; on the front page, the largest topics and countries. */
  topics: readonly ListingLink[]
  places: readonly ListingLink[]
  /** On the front page, the kind's own listings, such as the categories of ads. */
  own: readonly { path: string; title: string; links: readonly ListingLink[] }[]
  /** For a listing with posts in a natural order, such as a month: the nearest ones with posts. */
  neighbours?: Neighbours<Pick<ListingLink, 'path' | 'name'>> | undefined
  /** The page that continues this one; null if this one shows all. */
  older: number | null
  /** The newest full page, for feeds. */
  lastPage: number | null
}

/** The events of a few days. If there are none, `next` has the events that start first. */
export type SoonView = ListingView & { next: readonly PublicPost[] }

/** A full page of a listing. Its number is counted from the oldest page and never changes. */
export type ListingPageView = {
  path: string
  name: string
  parents: readonly { path: string; name: string }[]
  number: number
  posts: readonly PublicPost[]
  older: number | null
  newer: number | null
}

/** An author's posts on this site, and the latest ones on the other sites. */
export type AuthorView = {
  id: string
  name: string
  since: string
  removedCount: number
  /** The verified domain of the account. */
  domain: string | null
  listing: ListingView
  elsewhere: readonly { site: FamilyMember; standingCount: number; posts: readonly PublicPost[] }[]
}

export type Withdrawn = { id: string; withdrawn_at: string; occasion: Occasion }

/** Fifty posts of a month in order of publication; page numbers start at the oldest. */
export type ArchivePageView = {
  /** `2026-11` */
  month: string
  number: number
  posts: readonly PublicPost[]
  hasPrevious: boolean
  hasNext: boolean
  /** On the first page, the nearest months with posts. */
  months?: Neighbours<string> | undefined
}

/** The months of publication with the number of posts that were ever published in them. */
export type ArchiveIndexView = { months: readonly { month: string; count: number }[] }

/** All topics or countries with listed posts, largest first. */
export type IndexView = { shelves: readonly ListingLink[] }

export const listingSize = 30
/**
 * Posts per full page of a listing. The first page shows this many, and the rest of the page that the last of them is
 * on, so that no post is shown twice.
 */
export const listingPageSize = 20
export const archivePageSize = 50
/** Posts per sitemap file. Small, because each new post rewrites the file until it is full. */
export const sitemapSize = 1_000
/** Maximum number of upcoming events in a calendar file. */
export const calendarSize = 100

/** All sites as their pages need them, by the name of the kind. */
export function siteViews(sites: Sites): ReadonlyMap<string, SiteView> {
  const family = [...sites.values()].map(({ kind, baseUrl }) => ({
    ...kind.site,
    kind: kind.name,
    definition: kind,
    baseUrl,
  }))
  return new Map([...sites].map(([name, { kind, baseUrl }]) => [name, { kind, baseUrl, family }]))
}
