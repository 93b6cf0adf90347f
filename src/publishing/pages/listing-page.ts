import { type Html, html } from '../../markup/html.ts'
import { feedsOf, layout } from '../page-frame.ts'
import { listingStructuredData } from '../structured-data.ts'
import { trustNote } from '../user-content-notice.ts'
import type { ListingPageView, ListingView, SiteView } from '../views.ts'
import {
  countLine,
  crumbs,
  entriesByMonth,
  listingEntries,
  listingLinks,
  monthPager,
  pager,
  soonLinks,
} from './listing-parts.ts'

/** The types of listing that every kind can have. */
const families: Record<string, string> = { topics: 'Topics', places: 'Places' }

export function listingPage(site: SiteView, view: ListingView): Html {
  const { plural } = site.kind.site
  return layout(site, {
    path: `${view.path}/`,
    ...sectionOf(site, view.path),
    title: `${view.name}: ${plural}`,
    description: `${countLine(site, view)} under “${view.name}” on ${site.kind.site.title}.`,
    alternates: feedsOf(site, view.path),
    isUserContent: view.posts.length > 0,
    structuredData: listingStructuredData(site, view),
    content: html`<div class="page-head">
!${crumbs(ancestors(site, view))}
<h1>${view.name}</h1>
!${inCalendar(site, view.path) ? soonLinks(view.path) : ''}
</div>
<div class="columns">
!${listingEntries(site, view)}
!${within(view)}
</div>
!${view.neighbours ? monthPager(`${view.path.split('/')[0]}/`, view.neighbours) : ''}`,
  })
}

/** A full page of a listing. It has no numbers that change with other posts. */
export function numberedPage(site: SiteView, view: ListingPageView): Html {
  const { path, name, number, posts, older, newer } = view
  const { plural, title } = site.kind.site
  return layout(site, {
    path: `${path}/${number + 1}/`,
    title: `${name}: ${plural}, page ${number + 1}`,
    description: `Earlier ${plural} under “${name}” on ${title}, page ${number + 1}.`,
    alternates: feedsOf(site, `${path}/${number + 1}`).filter(({ type }) => type !== 'text/calendar'),
    isUserContent: true,
    content: html`<div class="page-head">
!${crumbs([...ancestors(site, view), { path, name }])}
<h1>${name}</h1>
</div>
<section class="list" aria-labelledby="posts">
<div class="list-head"><h2 id="posts">Page ${number + 1}</h2></div>
!${trustNote()}
!${entriesByMonth(site, posts)}
!${pager({ path, older, newer, isFirst: false })}
</section>`,
  })
}

/** The index of the type of listing, if there is one, and the listings that contain this one. */
export function ancestors({ kind }: SiteView, { path, parents }: Pick<ListingView, 'path' | 'parents'>) {
  const type = path.split('/')[0] ?? ''
  const above = kind.listingTypes?.[type]?.within ?? type
  const own = kind.listingTypes?.[above]
  const name = own ? own.index && own.title : families[type]
  return [...(name ? [{ path: above, name }] : []), ...parents]
}

/** The navigation link of a listing that is not below the index of its own type. */
function sectionOf({ kind }: SiteView, path: string): { section?: string } {
  const above = kind.listingTypes?.[path]?.within
  return above === undefined ? {} : { section: `${above}/` }
}

/** Whether a listing shows events by their dates, or all that are online. */
const inCalendar = ({ kind }: SiteView, path: string) =>
  kind.presentation.occasion !== undefined && kind.listingTypes?.[path.split('/')[0] ?? ''] !== undefined

const within = ({ name, places }: ListingView): Html =>
  places.length === 0
    ? ''
    : html`<aside class="browse" aria-label="Places in ${name}"><h2>In ${name}</h2>!${listingLinks(places)}</aside>`
