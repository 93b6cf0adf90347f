import { type Html, html } from '../../markup/html.ts'
import { layout } from '../page-frame.ts'
import type { IndexView, ListingLink, SiteView } from '../views.ts'
import { listingLinks, soonLinks } from './listing-parts.ts'

export function topicsPage(site: SiteView, view: IndexView): Html {
  const { plural } = site.kind.site
  return layout(site, {
    path: 'topics/',
    title: 'Topics',
    description: `Topics of the ${plural} on ${site.kind.site.title}.`,
    content: html`<div class="page-head"><h1>Topics</h1><p class="lede">Browse ${plural} by topic. Each topic has its own page and feed.</p></div>
!${listingIndex(site, view.shelves)}`,
  })
}

export function placesPage(site: SiteView, view: IndexView): Html {
  const { plural } = site.kind.site
  return layout(site, {
    path: 'places/',
    title: 'Places',
    description: `Countries with ${plural} on ${site.kind.site.title}.`,
    content: html`<div class="page-head"><h1>Places</h1><p class="lede">Browse ${plural} by country. Each country has its own page and feed, with links to its regions.</p></div>
!${listingIndex(site, view.shelves)}`,
  })
}

/** The index of one of the kind's own types of listing, such as the categories of ads. */
export function ownIndexPage(site: SiteView, type: string, view: IndexView): Html {
  const { title = '', index } = site.kind.listingTypes?.[type] ?? {}
  const list =
    index?.order === 'by-path' && view.shelves.length > 0
      ? html`<section class="largest" aria-label="${title}">!${listingLinks(view.shelves)}</section>`
      : listingIndex(site, view.shelves)
  return layout(site, {
    path: `${type}/`,
    title,
    description: `${index?.introduction ?? ''} On ${site.kind.site.title}.`,
    content: html`<div class="page-head"><h1>${title}</h1><p class="lede">${index?.introduction ?? ''} Each has its own page and feed.</p>!${site.kind.presentation.occasion ? soonLinks() : ''}</div>
!${list}`,
  })
}

/** First the largest listings, for browsing; then all in alphabetical order, for lookup. */
export function listingIndex({ kind }: SiteView, shelves: readonly ListingLink[]): Html {
  if (shelves.length === 0) return html`<div class="empty"><p>No current ${kind.site.noun} is listed here.</p></div>`
  const letters = Map.groupBy(shelves.toSorted(byName), ({ name }) => initialOf(name))
  return html`<section class="largest" aria-labelledby="largest"><h2 id="largest">Most posts</h2>!${listingLinks(shelves.slice(0, largestShown))}</section>
<section class="alphabet" aria-labelledby="all"><h2 id="all">A to Z</h2>
!${[...letters].map(([letter, those]) => html`<div class="letter"><h3>${letter}</h3>!${listingLinks(those)}</div>`).join('\n')}
</section>`
}

const largestShown = 12

const collator = new Intl.Collator('en', { numeric: true })
const byName = (one: ListingLink, other: ListingLink) => collator.compare(one.name, other.name)

/** Groups `Å` with A, as the sort order does, and groups all digits together. */
function initialOf(name: string): string {
  const initial = name.normalize('NFD').charAt(0).toUpperCase()
  return /\d/.test(initial) ? '0–9' : initial
}
