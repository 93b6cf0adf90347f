import { type Html, html } from '../../markup/html.ts'
import { layout } from '../layout.ts'
import type { IndexView, SiteView } from '../views.ts'
import { shelfIndex } from './shelf-index.ts'

export function topicsPage(site: SiteView, view: IndexView): Html {
  const { plural } = site.kind.site
  return layout(site, {
    path: 'topics/',
    title: 'Topics',
    description: `What the ${plural} on ${site.kind.site.title} are about.`,
    content: html`<div class="page-head"><h1>Topics</h1><p class="lede">What the ${plural} are about. Each topic has its own page and feed.</p></div>
!${shelfIndex(site, view.shelves)}`,
  })
}
