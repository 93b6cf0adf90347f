import { type Html, html } from '../markup/html.ts'

/** A heading with its id. The text is escaped. */
export type PageHeading = { level: number; id: string; text: Html }

/** The headings of the content that have an id, from the second level to the third. */
export const headingsIn = (content: Html): PageHeading[] =>
  [...content.matchAll(/<h([23]) id="([^"]+)">(.*?)<\/h\1>/gs)].map(([, level, id, inner]) => ({
    level: Number(level),
    id: String(id),
    text: String(inner).replaceAll(/<[^>]*>/g, ''),
  }))

/** The headings as links, beside the text or folded above it. */
export function onThisPage(headings: readonly PageHeading[]): Html {
  const items = headings.map(
    ({ level, id, text }) => html`<li!${level > 2 ? html` class="deeper"` : ''}><a href="#${id}">!${text}</a></li>`,
  )
  return foldableList('on-page', { label: 'On this page', summary: 'On this page', items })
}

/**
 * A list that is folded on narrow screens and open on wide ones. It is there twice, and the style sheet shows one: no
 * markup opens `details` by the width of the screen.
 */
export const foldableList = (
  name: string,
  { label, summary, items }: { label: string; summary: string; items: readonly Html[] },
): Html =>
  html`<nav class="${name}" aria-label="${label}"><details>
<summary>${summary}</summary>
<ul>!${items}</ul>
</details>
<ul>!${items}</ul></nav>`

/** Readers skim a page with fewer headings without a list. */
const fewestHeadings = 5

/** The content, with its headings beside it if it has many. */
export function withHeadingList(content: Html): Html {
  const headings = headingsIn(content)
  return headings.length < fewestHeadings
    ? content
    : html`<div class="docs listed">
!${onThisPage(headings)}
<div class="docs-page">
!${content}
</div>
</div>`
}
