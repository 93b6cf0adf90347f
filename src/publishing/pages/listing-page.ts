import { type Html, html } from '../../markup/html.ts'
import { feedsOf, layout } from '../page-frame.ts'
import { listingStructuredData } from '../structured-data.ts'
import type { ListingView, SiteView } from '../views.ts'
import { countLine, crumbs, listingEntries, listingLinks } from './listing-parts.ts'

/** The index page of each type of listing, by the first part of the path. */
const families: Record<string, string> = { topics: 'Topics', places: 'Places' }

export function listingPage(site: SiteView, view: ListingView): Html {
  const root = view.path.split('/')[0] ?? ''
  const { plural } = site.kind.site
  return layout(site, {
    path: `${view.path}/`,
    title: `${view.name}: ${plural}`,
    description: `${countLine(site, view)} under “${view.name}” on ${site.kind.site.title}.`,
    alternates: feedsOf(site, view.path),
    isUserContent: view.posts.length > 0,
    structuredData: listingStructuredData(site, view),
    content: html`<div class="page-head">
!${crumbs([{ path: root, name: families[root] ?? root }, ...view.parents])}
<h1>${view.name}</h1>
</div>
<div class="columns">
!${listingEntries(site, view)}
!${within(view)}
</div>`,
  })
}

const within = ({ name, places }: ListingView): Html =>
  places.length === 0
    ? ''
    : html`<aside class="browse" aria-label="Places in ${name}"><h2>In ${name}</h2>!${listingLinks(places)}</aside>`
