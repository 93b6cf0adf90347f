import { type Html, html } from '../../markup/html.ts'
import { layout } from '../layout.ts'
import type { IndexView, SiteView } from '../views.ts'
import { shelfIndex } from './shelf-index.ts'

export function placesPage(site: SiteView, view: IndexView): Html {
  const { plural } = site.kind.site
  return layout(site, {
    path: 'places/',
    title: 'Places',
    description: `The countries of the ${plural} on ${site.kind.site.title}.`,
    content: html`<div class="page-head"><h1>Places</h1><p class="lede">The countries of the ${plural}. Each has its own page and feed, and leads to its regions.</p></div>
!${shelfIndex(site, view.shelves)}`,
  })
}
