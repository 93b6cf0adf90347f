import { siteAssets } from '../publishing/assets.ts'
import { staticSitemap } from './crawlers/static-sitemap.ts'
import { type Deployment, type DocumentedSite, documentedSites } from './deployment.ts'
import { documentSite } from './pages/document-site.ts'
import { documentPages } from './pages/index.ts'
import { docsScript, docsScriptPath } from './pages/script/docs-script.ts'
import { verifyFiles } from './pages/script/verify-files.ts'
import { publishPage } from './publish-page.ts'
import { problemPages, siteDocuments } from './site-documents.ts'
import { verifyPage } from './verify-page.ts'

/** Every document that does not depend on posts, by its path in the folder that contains all sites. */
export function allDocuments(deployment: Deployment): Map<string, string | Buffer> {
  const pages = documentPages(deployment)
  return new Map<string, string | Buffer>([
    ...siteDocuments(deployment),
    ...problemPages(deployment),
    ...pages,
    ...documentedSites(deployment).flatMap((site) =>
      ownFiles(site, pages).map(([path, content]) => [`${site.slug}/${path}`, content] as const),
    ),
  ])
}

function ownFiles(site: DocumentedSite, pages: ReadonlyMap<string, string>): [string, string | Buffer][] {
  const view = documentSite(site.kind, site.deployment)
  return [
    ['sitemaps/site.xml', staticSitemap(site, ['publish/', 'verify/', ...pathsOf(site, pages)])],
    ['publish/index.html', publishPage(view)],
    ['verify/index.html', verifyPage(view)],
    [docsScriptPath, docsScript()],
    ...verifyFiles(),
    ...siteAssets(site.kind),
  ]
}

/**
 * The URL paths of the site's pages: `docs/` for `docs/index.html`, `problems/not_found` for `problems/not_found.html`.
 */
function pathsOf({ slug }: DocumentedSite, pages: ReadonlyMap<string, string>): string[] {
  return [...pages.keys()]
    .filter((path) => path.startsWith(`${slug}/`) && path.endsWith('.html'))
    .map((path) =>
      path
        .slice(slug.length + 1)
        .replace(/(^|\/)index\.html$/, '$1')
        .replace(/\.html$/, ''),
    )
}
