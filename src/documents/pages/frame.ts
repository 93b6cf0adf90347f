import { type Html, html } from '../../markup/html.ts'
import { type Alternate, layout } from '../../publishing/page-frame.ts'
import { type BookPage, markdownPath, searchIndexPath } from './book-page.ts'
import type { DocumentSite } from './document-site.ts'
import type { Heading, RenderedText } from './markdown.ts'
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

/** The framed page of the documentation, with the navigation, its headings and the pages before and after it. */
export function docsPage(site: DocumentSite, page: BookPage, rendered: RenderedText, book: readonly BookPage[]): Html {
  const markdown = { type: 'text/markdown', href: `/${markdownPath(page.path)}`, title: 'This page as Markdown' }
  const shown = { ...page, alternates: [markdown, ...page.alternates], content: rendered.content }
  const content = html`<div class="docs">
<div class="docs-side">
<div class="docs-search" data-index="/${searchIndexPath}"></div>
!${navigation(page, book)}
</div>
!${onThisPage(rendered.headings.filter(({ level }) => level > 1 && level <= (page.deepestHeading ?? 3)))}
<div class="docs-page">
!${article(shown, html`<p class="kicker">${page.group}</p>`)}
!${neighbours(page, book)}
<p class="as-markdown"><a href="${markdown.href}">This page as Markdown</a></p>
</div>
</div>
<script src="/${docsScriptPath}" defer></script>`
  return layout(site, { ...shown, content })
}

/** The framed page without the documentation's navigation. */
export const plainPage = (site: DocumentSite, page: DocumentPage): Html =>
  layout(site, { ...page, content: article(page) })

const article = ({ title, description, content }: DocumentPage, kicker: Html = ''): Html => html`<article class="prose">
!${kicker}<h1>${title}</h1>
<p class="lead">${description}</p>
!${content}
</article>`

/** All pages by group. */
function navigation(page: BookPage, book: readonly BookPage[]): Html {
  const groups = [...Map.groupBy(book, ({ group }) => group)].map(
    ([group, pages]) => html`<li><span>${group}</span>
<ul>!${pages.map((each) => navigationItem(each, each.path === page.path))}</ul></li>
`,
  )
  return foldable('docs-nav', { label: 'Documentation', summary: 'All pages', items: groups })
}

/**
 * A list that is folded on narrow screens and open on wide ones. It is there twice, and the style sheet shows one: no
 * markup opens `details` by the width of the screen.
 */
const foldable = (name: string, { label, summary, items }: { label: string; summary: string; items: Html[] }): Html =>
  html`<nav class="${name}" aria-label="${label}"><details>
<summary>${summary}</summary>
<ul>!${items}</ul>
</details>
<ul>!${items}</ul></nav>`

const navigationItem = ({ path, title, label = title }: BookPage, isCurrent: boolean): Html =>
  html`<li><a href="/${path}"!${isCurrent ? html` aria-current="page"` : ''}>${label}</a></li>`

/** The headings of the page. A page with one heading needs no list. */
function onThisPage(headings: readonly Heading[]): Html {
  if (headings.length < 2) return ''
  const items = headings.map(
    ({ level, id, text }) => html`<li!${level > 2 ? html` class="deeper"` : ''}><a href="#${id}">${text}</a></li>`,
  )
  return foldable('on-page', { label: 'On this page', summary: 'On this page', items })
}

/** Links to the page before and the page after this one. */
function neighbours(page: BookPage, book: readonly BookPage[]): Html {
  const index = book.findIndex(({ path }) => path === page.path)
  const link = (rel: 'prev' | 'next', label: string, to: BookPage | undefined) =>
    to ? html`<a rel="${rel}" href="/${to.path}"><span>${label}</span> ${to.title}</a>` : ''
  return html`<nav class="neighbours" aria-label="Previous and next page">!${link('prev', 'Previous', book[index - 1])}!${link('next', 'Next', book[index + 1])}</nav>`
}
