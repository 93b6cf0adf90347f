import { xml, xmlDocument } from '../../markup/xml.ts'

/** The index of a site's sitemaps. It needs at least one sitemap. Paths have no leading slash. */
export function sitemapIndex(baseUrl: string, shardPaths: readonly string[]): string {
  return xmlDocument(xml`<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${shardPaths.map((path) => xml`<sitemap><loc>${baseUrl}/${path}</loc></sitemap>\n`)}</sitemapindex>`)
}

/** Pages with the time of their last change, if known. From 1 to 50,000 pages, all on this site. */
export function sitemapShard(baseUrl: string, entries: readonly { path: string; lastmod?: string }[]): string {
  return xmlDocument(xml`<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${entries.map(({ path, lastmod }) => xml`<url><loc>${baseUrl}/${path}</loc>${lastmod ? [xml`<lastmod>${lastmod}</lastmod>`] : []}</url>\n`)}</urlset>`)
}
