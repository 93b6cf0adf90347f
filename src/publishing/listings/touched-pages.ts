import { kinds } from '../../kinds/index.ts'
import { archivePageSize, sitemapSize } from '../views.ts'

/** A post's position in the archive, and the listings that it joined, left or is in. */
export type ListingUpdate = {
  touched: string[]
  /** The full pages of these listings that change, such as `topics/ferries/3`. */
  pages: string[]
  archive_month: string
  archive_number: number
  /** Whether the post was not in the archive before. */
  is_new: boolean
  /** Whether the post is published and neither removed nor deleted. */
  isStanding: boolean
}

/** The types of listing that can have an index page, named like the type. Kinds without one have no file. */
const indexedTypes = new Set([
  'topics',
  'places',
  ...kinds.flatMap(({ listingTypes = {} }) => Object.keys(listingTypes).filter((type) => listingTypes[type]?.index)),
])

/** The names of all pages that show or count this post, except the post page. */
export const touchedPages = (shelved: ListingUpdate): { lists: string[]; others: string[] } => ({
  lists: shelved.touched.map((path) => `shelf:${path}`),
  others: [
    ...shelved.pages.map((page) => `listing-page:${page}`),
    ...archivePages(shelved),
    ...sitemapPages(shelved),
    ...indexPages(shelved),
  ],
})

function archivePages({ archive_month, archive_number, is_new }: ListingUpdate): string[] {
  const page = Math.ceil(archive_number / archivePageSize)
  const isFirst = archive_number % archivePageSize === 1
  return [
    `archive:${archive_month}/${page}`,
    // The previous page gets a link to this one.
    ...(isFirst && page > 1 ? [`archive:${archive_month}/${page - 1}`] : []),
    ...(is_new ? ['archive-index'] : []),
  ]
}

function sitemapPages({ archive_month, archive_number }: ListingUpdate): string[] {
  const shard = Math.ceil(archive_number / sitemapSize)
  const isFirst = archive_number % sitemapSize === 1
  return [`sitemap:${archive_month}/${shard}`, ...(isFirst ? ['sitemap-index'] : [])]
}

function indexPages({ touched, is_new, isStanding }: ListingUpdate): string[] {
  return [
    ...new Set(touched.map((path) => path.split('/')[0] ?? '').filter((type) => indexedTypes.has(type))),
    // A post that was withdrawn joins the document, and a republished post leaves it.
    ...(isStanding && is_new ? [] : ['deleted']),
  ]
}
