import { kinds } from '../../kinds/index.ts'
import { bookOf, filledText, llmsFullTxt, markdownOf } from './book.ts'
import { markdownPath, searchIndexPath } from './book-page.ts'
import { changelogFeed, changelogPage } from './changelog.ts'
import { otherTextPages, type TextPage } from './docs-pages.ts'
import { type DocumentSite, documentSite, type PagesDeployment } from './document-site.ts'
import { type DocsFrame, docsPage, markdownAlternate, plainPage } from './frame.ts'
import { readMarkdown, renderMarkdown } from './markdown.ts'
import { policyPage } from './policy-page.ts'
import { problemPagesOf } from './problem-pages.ts'
import { searchIndex } from './search-index.ts'
import { termsPage } from './terms-page.ts'

/**
 * The HTML pages of every site, by path in the folder that contains all sites. Each text page also exists as Markdown,
 * and the documentation as one text.
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
  const [policy, changelog] = [policyPage(), changelogPage()]
  // Each text is needed three times.
  const book = bookOf(site).map((page) => {
    const text = page.text()
    return { ...page, text: () => text }
  })
  const listed = [policy, changelog].map(({ path, title }) => ({ path, title, group: 'Operate' }))
  return [
    ...bookFiles(site, { book, listed }),
    ...problemPagesOf(site, { book, listed }).map(([path, page]): [string, string] => [fileOf(path), page]),
    ...otherTextPages.flatMap((page) => textFiles(site, page)),
    ...[policy, termsPage(site), changelog].map((page): [string, string] => [fileOf(page.path), plainPage(site, page)]),
    ['changelog/feed.xml', changelogFeed(site)],
  ]
}

/** The documentation: each page as HTML and as Markdown, the search index, and all of it in one text. */
function bookFiles(site: DocumentSite, frame: DocsFrame): [string, string][] {
  const rendered = frame.book.map((page) => [page, readMarkdown(page.text())] as const)
  return [
    ...rendered.flatMap(([page, text]): [string, string][] => [
      [fileOf(page.path), docsPage(site, page, text, frame)],
      [markdownPath(page.path), markdownOf(page)],
    ]),
    [searchIndexPath, `${JSON.stringify(searchIndex(rendered))}\n`],
    ['llms-full.txt', llmsFullTxt(site, frame.book)],
  ]
}

/** A page outside the documentation, as HTML and as Markdown. */
function textFiles(site: DocumentSite, page: TextPage): [string, string][] {
  const { path, title, description, alternates = [] } = page
  const text = filledText(site, page)
  const shown = {
    ...{ path, title, description, content: renderMarkdown(text) },
    alternates: [markdownAlternate(path), ...alternates],
  }
  return [
    [fileOf(path), plainPage(site, shown)],
    [markdownPath(path), markdownOf({ title, description, text: () => text })],
  ]
}

/** A path that ends in a slash is a folder; any other, such as `problems/not_found`, is a file. */
const fileOf = (path: string): string => (path.endsWith('/') ? `${path}index.html` : `${path}.html`)
