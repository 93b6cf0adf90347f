import { type Html, html } from '../../markup/html.ts'
import { foldableList, onThisPage, withHeadingList } from '../../publishing/on-this-page.ts'
import { type Alternate, layout } from '../../publishing/page-frame.ts'
import { type BookPage, markdownPath, type NavigationEntry, searchIndexPath } from './book-page.ts'
import type { DocumentSite } from './document-site.ts'
import type { RenderedText } from './markdown.ts'
import { docsScriptPath } from './script/docs-script.ts'

/** A documentation page without its frame. */
export type DocumentPage = {
  /** The path below the site's address: `docs/`, `problems/not_found`. */
  path: string
  title: string
  description: string
  content: Html
  alternates: readonly Alternate[]
}

/** A page within the documentation. */
type FramedPage = Omit<BookPage, 'text'> & {
  /** The path of the page in the navigation that this one belongs to, if it is not listed itself. */
  parent?: string
}

/** What surrounds a page of the documentation. */
export type DocsFrame = {
  /** The pages in reading order, each also available as Markdown. */
  book: readonly BookPage[]
  /** Pages outside the documentation that its navigation lists too. */
  listed: readonly NavigationEntry[]
}

/** The framed page of the documentation, with the navigation, its headings and the pages before and after it. */
export function docsPage(site: DocumentSite, page: FramedPage, rendered: RenderedText, frame: DocsFrame): Html {
  const isInBook = frame.book.some(({ path }) => path === page.path)
  const markdown = isInBook ? [markdownAlternate(page.path)] : []
  const shown = { ...page, alternates: [...markdown, ...page.alternates], content: rendered.content }
  const headings = rendered.headings.filter(({ level }) => level > 1 && level <= (page.deepestHeading ?? 3))
  const top = html`<div class="docs-top"><p class="kicker">${page.group}</p>!${markdown.map(({ href, title }) => html`<p class="as-markdown"><a href="${href}">${title}</a></p>`)}</div>
`
  const content = html`<div class="docs">
<div class="docs-side">
<div class="docs-search" data-index="/${searchIndexPath}"></div>
!${navigation(page, frame)}
</div>
!${headings.length < 2 ? '' : onThisPage(headings.map(({ text, ...heading }) => ({ ...heading, text: html`${text}` })))}
<div class="docs-page">
!${article(shown, top)}
!${isInBook ? neighbours(page, frame.book) : ''}
</div>
</div>
<script src="/${docsScriptPath}" defer></script>`
  return layout(site, { ...shown, content })
}

/** The framed page without the documentation's navigation. */
export const plainPage = (site: DocumentSite, page: DocumentPage): Html =>
  layout(site, { ...page, content: withHeadingList(article(page)) })

/** A link to the same page as Markdown. */
export const markdownAlternate = (path: string) => ({
  ...{ type: 'text/markdown', href: `/${markdownPath(path)}`, title: 'This page as Markdown' },
})

const article = ({ title, description, content }: DocumentPage, top: Html = ''): Html => html`<article class="prose">
!${top}<h1>${title}</h1>
<p class="lead">${description}</p>
!${content}
</article>`

/** All pages by group. */
function navigation(page: FramedPage, { book, listed }: DocsFrame): Html {
  const groups = [...Map.groupBy([...book, ...listed], ({ group }) => group)].map(
    ([group, pages]) => html`<li><span>${group}</span>
<ul>!${pages.map((each) => navigationItem(each, page))}</ul></li>
`,
  )
  return foldableList('docs-nav', { label: 'Documentation', summary: 'All pages', items: groups })
}

function navigationItem({ path, title }: NavigationEntry, page: FramedPage): Html {
  const current = path === page.path ? 'page' : path === page.parent ? 'true' : ''
  return html`<li><a href="/${path}"!${current ? html` aria-current="${current}"` : ''}>${title}</a></li>`
}

/** Links to the page before and the page after this one. */
function neighbours(page: FramedPage, book: readonly BookPage[]): Html {
  const index = book.findIndex(({ path }) => path === page.path)
  const link = (rel: 'prev' | 'next', label: string, to: BookPage | undefined) =>
    to ? html`<a rel="${rel}" href="/${to.path}"><span>${label}</span> ${to.title}</a>` : ''
  return html`<nav class="neighbours" aria-label="Previous and next page">!${link('prev', '← Previous', book[index - 1])}!${link('next', 'Next →', book[index + 1])}</nav>`
}
