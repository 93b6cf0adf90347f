import { type Html, html } from '../markup/html.ts'

/** How many rows a list has before it goes on elsewhere. */
export const rowsPerPage = 50

type Listed<Row> = { rows: Row[]; next: string | null }

/** Of one row more than a page holds: the page, and where the next one begins. */
export function firstPage<Row>(rows: readonly Row[], idOf: (row: Row) => string): Listed<Row> {
  const shown = rows.slice(0, rowsPerPage)
  const last = shown.at(-1)
  return { rows: shown, next: rows.length > rowsPerPage && last ? idOf(last) : null }
}

/** The ways to what is newer and older. The newest is reached at once: nobody pages back through a ledger. */
export function pageLinks(path: string, { before, next }: { before: string | null; next: string | null }): Html {
  if (!before && !next) return ''
  return html`<nav class="pages" aria-label="Pages">
!${before ? html`<a href="${path}">Newest</a>` : html`<span></span>`}
!${next ? html`<a href="${path}?before=${next}" rel="next">Older</a>` : html`<span></span>`}
</nav>`
}
