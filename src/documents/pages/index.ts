import { kinds } from '../../kinds/index.ts'
import { changelogFeed, changelogPage } from './changelog.ts'
import { docsPages, otherTextPages, type TextPage } from './docs-pages.ts'
import { type DocumentSite, documentSite, type PagesDeployment } from './document-site.ts'
import { commonFacts, fill, readTemplate } from './fill.ts'
import { type DocumentPage, docsPage, plainPage } from './frame.ts'
import { renderMarkdown } from './markdown.ts'
import { policyPage } from './policy-page.ts'
import { problemPagesOf } from './problem-pages.ts'
import { referencePage } from './reference.ts'
import { termsPage } from './terms-page.ts'

/**
 * The HTML pages of every site, by path in the folder that contains all sites. Each text page also exists as Markdown.
 */
export function documentPages(deployment: PagesDeployment): Map<string, string> {
  return new Map(
    kinds.flatMap((kind) => {
      const site = documentSite(kind, deployment)
      return pagesOf(site).map(([path, content]) => [`${kind.site.slug}/${path}`, content] as const)
    }),
  )
}

/** The pages of one site, by path. */
function pagesOf(site: DocumentSite): [string, string][] {
  const reference = referencePage(site)
  const entries = [...docsPages, reference]
  const plain = [policyPage(), termsPage(site), changelogPage(), ...problemPagesOf(site)]
  return [
    ...docsPages.flatMap((page) => textFiles(site, page, (shown) => docsPage(site, shown, entries))),
    ...otherTextPages.flatMap((page) => textFiles(site, page, (shown) => plainPage(site, shown))),
    [fileOf(reference.path), docsPage(site, reference, entries)],
    ...plain.map((page): [string, string] => [fileOf(page.path), plainPage(site, page)]),
    ['changelog/feed.xml', changelogFeed(site)],
  ]
}

/** The page as HTML and as Markdown. */
function textFiles(site: DocumentSite, page: TextPage, show: (page: DocumentPage) => string): [string, string][] {
  const { path, title, description, alternates = [] } = page
  const text = fill(readTemplate(page.text), { ...commonFacts(site), ...page.facts(site) }).trim()
  const markdown = { type: 'text/markdown', href: `/${path}index.md`, title: 'This page as Markdown' }
  const shown = { path, title, description, alternates: [markdown, ...alternates], content: renderMarkdown(text) }
  return [
    [`${path}index.html`, show(shown)],
    [`${path}index.md`, `# ${title}\n\n${description}\n\n${text}\n`],
  ]
}

/** A path that ends in a slash is a folder; any other, such as `problems/not_found`, is a file. */
const fileOf = (path: string): string => (path.endsWith('/') ? `${path}index.html` : `${path}.html`)
