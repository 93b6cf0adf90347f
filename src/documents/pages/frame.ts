import { type Html, html } from '../../markup/html.ts'
import { type Alternate, layout } from '../../publishing/page-frame.ts'
import type { DocumentSite } from './document-site.ts'

/** A documentation page without its frame. */
export type DocumentPage = {
  /** The path below the site's address: `docs/`, `problems/not_found`. */
  path: string
  title: string
  description: string
  content: Html
  alternates: readonly Alternate[]
}

type NavEntry = { path: string; title: string }

/** The framed page with the documentation's navigation. */
export function docsPage(site: DocumentSite, page: DocumentPage, entries: readonly NavEntry[]): Html {
  const links = entries.map(
    ({ path, title }) =>
      html`<li><a href="/${path}"!${path === page.path ? html` aria-current="page"` : ''}>${title}</a></li>`,
  )
  const content = html`<div class="docs">
<nav class="docs-nav" aria-label="Documentation"><ul>!${links}</ul></nav>
!${article(page)}
</div>`
  return layout(site, { ...page, content })
}

/** The framed page without the documentation's navigation. */
export const plainPage = (site: DocumentSite, page: DocumentPage): Html =>
  layout(site, { ...page, content: article(page) })

const article = ({ title, description, content }: DocumentPage): Html => html`<article class="prose">
<h1>${title}</h1>
<p class="lead">${description}</p>
!${content}
</article>`
