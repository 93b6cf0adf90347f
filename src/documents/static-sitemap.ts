import type { Kind } from '../kinds/index.ts'
import { sitemapShard } from '../publishing/sitemap.ts'
import type { Site } from './deployment.ts'

/** The part of the sitemap that no post changes: the ways into the site, and its documents. */
export function staticSitemap({ baseUrl, kind }: Site, documentPaths: readonly string[]): string {
  const ways = ['', 'topics/', ...(hasPlaces(kind) ? ['places/'] : []), 'archive/', 'transparency/']
  return sitemapShard(
    baseUrl,
    [...ways, ...documentPaths].map((path) => ({ path })),
  )
}

export const hasPlaces = (kind: Kind): boolean => 'location' in kind.content.shape
