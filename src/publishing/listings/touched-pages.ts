import { archivePageSize, sitemapSize } from '../views.ts'

/** A post's position in the archive, and the listings that it joined, left or is in. */
export type ListingUpdate = {
  touched: string[]
  archive_month: string
  archive_number: number
  /** Whether the post was not in the archive before. */
  is_new: boolean
  /** Whether the post is published and neither removed nor deleted. */
  isStanding: boolean
}

/** The names of all pages that show or count this post, except the post page. */
export const touchedPages = (shelved: ListingUpdate): { lists: string[]; others: string[] } => ({
  lists: shelved.touched.map((path) => `shelf:${path}`),
  others: [...archivePages(shelved), ...sitemapPages(shelved), ...indexPages(shelved)],
})

function archivePages({ archive_month, archive_number }: ListingUpdate): string[] {
  const page = Math.ceil(archive_number / archivePageSize)
  const isFirst = archive_number % archivePageSize === 1
  return [
    `archive:${archive_month}/${page}`,
    // The previous page gets a link to this one.
    ...(isFirst && page > 1 ? [`archive:${archive_month}/${page - 1}`] : []),
    ...(isFirst ? ['archive-index'] : []),
  ]
}

function sitemapPages({ archive_month, archive_number }: ListingUpdate): string[] {
  const shard = Math.ceil(archive_number / sitemapSize)
  const isFirst = archive_number % sitemapSize === 1
  return [`sitemap:${archive_month}/${shard}`, ...(isFirst ? ['sitemap-index'] : [])]
}

function indexPages({ touched, is_new, isStanding }: ListingUpdate): string[] {
  return [
    ...['topics', 'places'].filter((index) => touched.some((path) => path.startsWith(`${index}/`))),
    // A post that was withdrawn joins the document, and a republished post leaves it.
    ...(isStanding && is_new ? [] : ['deleted']),
  ]
}
