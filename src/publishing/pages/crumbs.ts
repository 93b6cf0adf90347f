import { type Html, html } from '../../markup/html.ts'

/** Where a page stands, widest first; the page itself is not among them. */
export const crumbs = (parents: readonly { path: string; name: string }[]): Html =>
  html`<nav class="crumbs" aria-label="Breadcrumbs"><ol>!${parents.map(
    ({ path, name }) => html`<li><a href="/${path}/">${name}</a></li>`,
  )}</ol></nav>`
