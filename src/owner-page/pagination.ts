import { type Html, html } from '../markup/html.ts'

export const rowsPerPage = 50

type Listed<Row> = { rows: Row[]; next: string | null }

/** The first page and the cursor for the next one. If there are more pages, `rows` has one row more than a page. */
export function firstPage<Row>(rows: readonly Row[], idOf: (row: Row) => string): Listed<Row> {
  const shown = rows.slice(0, rowsPerPage)
  const last = shown.at(-1)
  return { rows: shown, next: rows.length > rowsPerPage && last ? idOf(last) : null }
}

/** Links to the first page and to the next page. There is no link to the previous page. `path` may have a query. */
export function pageLinks(path: string, { before, next }: { before: string | null; next: string | null }): Html {
  if (!before && !next) return ''
  return html`<nav class="pages" aria-label="Pages">
!${before ? html`<a href="${path}">Newest</a>` : html`<span></span>`}
!${next ? html`<a href="${path}${path.includes('?') ? '&' : '?'}before=${next}" rel="next">Older</a>` : html`<span></span>`}
</nav>`
}
