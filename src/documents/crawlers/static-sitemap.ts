import type { Kind } from '../../kinds/index.ts'
import { sitemapShard } from '../../publishing/feeds/sitemap.ts'
import type { DocumentedSite } from '../deployment.ts'

/** The sitemap shard that does not depend on posts: entry pages and documents. */
export function staticSitemap({ baseUrl, kind }: DocumentedSite, documentPaths: readonly string[]): string {
  const topics = 'topics' in kind.content.shape ? ['topics/'] : []
  const ways = ['', ...topics, ...(hasPlaces(kind) ? ['places/'] : []), 'archive/', 'transparency/']
  return sitemapShard(
    baseUrl,
    [...ways, ...documentPaths].map((path) => ({ path })),
  )
}

export const hasPlaces = (kind: Kind): boolean => 'location' in kind.content.shape
