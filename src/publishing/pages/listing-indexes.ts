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
    index?.order === 'by-path' ? groupedIndex(site, view.shelves, index.groupOf) : listingIndex(site, view.shelves)
  return layout(site, {
    path: `${type}/`,
    title,
    description: `${index?.introduction ?? ''} On ${site.kind.site.title}.`,
    content: html`<div class="page-head"><h1>${title}</h1><p class="lede">${index?.introduction ?? ''} Each has its own page and feed.</p>!${site.kind.presentation.occasion ? soonLinks(type) : ''}</div>
!${list}`,
  })
}

type Group = { heading: string; name: string }

/** The listings in their natural order, such as the months of each year. */
function groupedIndex(site: SiteView, shelves: readonly ListingLink[], groupOf: (value: string) => Group): Html {
  if (shelves.length === 0) return nothingListed(site)
  const entries = shelves.map(({ path, count }) => ({ path, count, ...groupOf(path.slice(path.indexOf('/') + 1)) }))
  return [...Map.groupBy(entries, ({ heading }) => heading)]
    .map(([heading, those]) => countedLinks(site, heading, those))
    .join('\n')
}

/** Links under a large heading, such as the months of a year, each with its number of posts. */
export const countedLinks = ({ kind }: SiteView, heading: string, links: readonly ListingLink[]): Html =>
  html`<section class="archive-year" aria-labelledby="y${heading}">
<h2 id="y${heading}">${heading}</h2>
<ol>!${links.map(({ path, name, count }) => html`<li><a href="/${path}/">${name}</a> <span class="count">${count.toLocaleString('en')} ${count === 1 ? kind.site.noun : kind.site.plural}</span></li>`)}</ol>
</section>`

const nothingListed = ({ kind }: SiteView): Html =>
  html`<div class="empty"><p>No current ${kind.site.noun} is listed here.</p></div>`

/** First the largest listings, for browsing; then, if there are more, all in alphabetical order, for lookup. */
export function listingIndex(site: SiteView, shelves: readonly ListingLink[]): Html {
  if (shelves.length === 0) return nothingListed(site)
  const largest = shelves.slice(0, largestShown)
  const hasMore = shelves.length > largestShown
  return html`<section class="largest" aria-labelledby="largest"><h2 id="largest"!${hasMore ? '' : html` class="unseen"`}>${hasMore ? 'Most posts' : 'All'}</h2>
<ul class="shelves">!${largest.map((link) => html`<li class="${sizeOf(link, largest)}"><a href="/${link.path}/">${link.name}</a> <span class="count">${link.count.toLocaleString('en')}</span></li>`)}</ul>
</section>
!${hasMore ? alphabet(shelves) : ''}`
}

/** Listings of the same size get the same type, in which the last of them fits. */
function sizeOf({ count }: ListingLink, all: readonly ListingLink[]): string {
  const rank = all.filter((other) => other.count >= count).length
  return rank <= 3 ? `rank-${rank}` : rank <= 6 ? 'rank-4' : 'rank-5'
}

function alphabet(shelves: readonly ListingLink[]): Html {
  const letters = Map.groupBy(shelves.toSorted(byName), ({ name }) => initialOf(name))
  return html`<section class="alphabet" aria-labelledby="all"><h2 id="all">A to Z</h2>
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
