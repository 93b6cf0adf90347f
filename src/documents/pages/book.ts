import { type BookPage, markdownPath } from './book-page.ts'
import { docsPages, type TextPage } from './docs-pages.ts'
import type { DocumentSite } from './document-site.ts'
import { commonFacts, fill, readTemplate } from './fill.ts'
import { withoutIds } from './markdown.ts'
import { referencePages } from './reference/reference-pages.ts'

/** The documentation of a site in reading order: the guides, then the reference. */
export const bookOf = (site: DocumentSite): BookPage[] => [
  ...docsPages.map(
    ({ path, title, group, description, alternates = [], ...page }): BookPage => ({
      ...{ path, title, group, description, alternates },
      text: () => filledText(site, page),
    }),
  ),
  ...referencePages(site),
]

/** The text of a page with the values of the site. */
export const filledText = (site: DocumentSite, { text, facts }: Pick<TextPage, 'text' | 'facts'>): string =>
  fill(readTemplate(text), { ...commonFacts(site), ...facts(site) }).trim()

/** The page as a Markdown document. */
export const markdownOf = ({ title, description, text }: Pick<BookPage, 'title' | 'description' | 'text'>): string =>
  `# ${title}\n\n${description}\n\n${withoutIds(text())}\n`

/** The whole documentation in one document, with the address of each page. Links are absolute. */
export function llmsFullTxt({ baseUrl, kind }: DocumentSite, book: readonly BookPage[]): string {
  const pages = book.map((page) => {
    const [heading, ...rest] = markdownOf(page).split('\n')
    return [heading, '', `Source: ${baseUrl}/${markdownPath(page.path)}`, ...rest].join('\n')
  })
  const intro = `> The complete documentation of ${kind.site.title} in one file. ${baseUrl}/llms.txt is the short overview.\n`
  return [intro, ...pages].join('\n').replaceAll('](/', `](${baseUrl}/`)
}
