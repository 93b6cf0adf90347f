import { longMonth } from '../../kinds/presentation/dates.ts'
import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import { type Html, html } from '../../markup/html.ts'
import { type Alternate, feedLinks, feedsOf } from '../page-frame.ts'
import { trustNote } from '../user-content-notice.ts'
import type { ListingLink, ListingView, SiteView } from '../views.ts'

/** The posts of a listing with its feeds, or a note that explains why there are none. */
export function listingEntries(site: SiteView, view: ListingView): Html {
  const title = site.kind.presentation.occasion ? 'Upcoming' : 'Latest'
  return html`<section class="list" aria-labelledby="posts">
<div class="list-head"><h2 id="posts">${title}</h2>!${view.posts.length > 0 ? html`<p class="count">${countLine(site, view)}</p>` : ''}!${feedLinks([...feedsOf(site, view.path), ...subscription(site, view.path)])}</div>
!${view.posts.length > 0 ? listed(site, view) : nothingListed(site, view)}
</section>`
}

/** Lets a calendar app subscribe to a listing, for kinds with times. */
export function subscription({ kind, baseUrl }: SiteView, path: string): Alternate[] {
  const file = path === '' ? 'events.ics' : `${path}/events.ics`
  const href = `${baseUrl.replace(/^https?:/, 'webcal:')}/${file}`
  return kind.presentation.occasion ? [{ type: 'text/calendar', href, title: 'Subscribe in calendar app' }] : []
}

/** `30 of 1,204 messages` */
export function countLine({ kind }: SiteView, { posts, listedCount }: ListingView): string {
  const { noun, plural } = kind.site
  const shown = listedCount > posts.length ? `${posts.length} of ` : ''
  return `${shown}${many(listedCount)} ${listedCount === 1 ? noun : plural}`
}

/** The front page has already said who writes. */
const listed = (site: SiteView, view: ListingView): Html => html`!${view.path === '' ? trustNote('') : trustNote()}
!${site.kind.presentation.overview?.(view.path, view.posts) ?? ''}
!${view.path === '' ? entries(site, view.posts) : entriesByMonth(site, view.posts)}
!${view.path === '' ? olderPosts(site, view) : inArchive(site, view)}!${pager({ ...view, newer: null, isFirst: true })}`

type Pages = { path: string; older: number | null; newer: number | null; isFirst: boolean }

/** Links between the pages of a listing. The listing itself is the page with the newest posts. */
export function pager({ path, older, newer, isFirst }: Pages): Html {
  if (isFirst && older === null) return ''
  const next = older === null ? '' : html`<a rel="next" href="/${path}/${older + 1}/">Older →</a>`
  if (isFirst) return html`<nav class="pager" aria-label="Pages"><span></span>!${next}</nav>`
  const previous = newer === null ? `/${path}/` : `/${path}/${newer + 1}/`
  return html`<nav class="pager" aria-label="Pages">
<a rel="prev" href="${previous}">← Newer</a>
<a href="/${path}/">Newest</a>
!${next}
</nav>`
}

/** Links to the nearest months with posts, and to the page with all of them. */
export const monthPager = (index: string, { previous, next }: NonNullable<ListingView['neighbours']>): Html =>
  html`<nav class="pager" aria-label="Months">
!${previous ? html`<a href="/${previous.path}/">← ${previous.name}</a>` : html`<span></span>`}
<a href="/${index}">All months</a>
!${next ? html`<a href="/${next.path}/">${next.name} →</a>` : html`<span></span>`}
</nav>`

/** The front page has no numbered pages: older posts are in the archive. */
function olderPosts({ kind }: SiteView, { posts, listedCount, standingCount }: ListingView): Html {
  if (standingCount <= posts.length) return ''
  const which = listedCount > posts.length ? 'Older' : kind.presentation.occasion ? 'Past' : 'Expired'
  return html`<nav class="pager" aria-label="Pages"><span></span><a href="/archive/">${which} ${kind.site.plural} →</a></nav>`
}

/** How many posts of this listing are over, and therefore on none of its pages. */
function inArchive({ kind }: SiteView, { standingCount, listedCount }: ListingView): Html {
  const overCount = standingCount - listedCount
  if (overCount <= 0) return ''
  const { noun, plural } = kind.site
  const over = `${many(overCount)} ${kind.presentation.occasion ? 'past' : 'expired'} ${overCount === 1 ? `${noun} is` : `${plural} are`}`
  return html`<p class="more">${over} in <a href="/archive/">the archive</a>.</p>`
}

function nothingListed({ kind }: SiteView, { standingCount }: ListingView): Html {
  const { noun, plural } = kind.site
  if (standingCount === 0)
    return html`<div class="empty"><p>No ${noun} has been published here yet.</p>
<p>An agent can post the first one: see <a href="/publish/">how to publish</a>.</p></div>`
  return html`<div class="empty"><p>No current ${plural} here.</p>
<p>${many(standingCount)} earlier ${standingCount === 1 ? `${noun} is` : `${plural} are`} in <a href="/archive/">the archive</a>.</p></div>`
}

const many = (count: number) => count.toLocaleString('en')

/** Links to other listings with their number of posts. */
export const listingLinks = (shelves: readonly ListingLink[]): Html =>
  html`<ul class="shelves">!${shelves.map(
    ({ path, name, count }) =>
      html`<li><a href="/${path}/">${name}</a> <span class="count">${count.toLocaleString('en')}</span></li>`,
  )}</ul>`

/**
 * The ways into the calendar: the events of the next days, those without a place, and all by month. The front page is
 * none of these pages, and names the months itself.
 */
export const soonLinks = (current = ''): Html =>
  html`<nav class="soon" aria-label="Calendar">!${soonList(current)}</nav>`

/** The same links, for a part of a page that has a heading. */
export const soonList = (current = ''): Html =>
  html`<ul>!${soonTabs
    .filter(({ path }) => current !== '' || path !== 'months')
    .map(
      ({ path, label }) =>
        html`<li><a href="/${path}/"!${current.split('/')[0] === path ? html` aria-current="${current === path ? 'page' : 'true'}"` : ''}>${label}</a></li>`,
    )}</ul>`

const soonTabs = [
  { path: 'today', label: 'Today' },
  { path: 'weekend', label: 'This weekend' },
  { path: 'online', label: 'Online' },
  { path: 'months', label: 'By month' },
]

/** The parents of a page, widest first, without the page itself. */
export const crumbs = (parents: readonly { path: string; name: string }[]): Html =>
  html`<nav class="crumbs" aria-label="Breadcrumbs"><ol>!${parents.map(
    ({ path, name }) => html`<li><a href="/${path}/">${name}</a></li>`,
  )}</ol></nav>`

/** The entries of a list, laid out by the kind of post. */
export function entries({ kind }: SiteView, posts: readonly PublicPost[]): Html {
  const { arrange, entry } = kind.presentation
  return html`<div class="entries">!${arrange ? arrange(posts) : posts.map(entry).join('\n')}</div>`
}

/**
 * The same under the month of publication, for listings in which days pass between two posts. Events stay under their
 * days.
 */
export function entriesByMonth(site: SiteView, posts: readonly PublicPost[]): Html {
  const { occasion, entry } = site.kind.presentation
  if (occasion) return entries(site, posts)
  return [...Map.groupBy(posts, ({ published_at }) => published_at.slice(0, 7))]
    .map(
      ([month, those]) => html`<section class="month">
<h3><time datetime="${month}">${longMonth(month)}</time></h3>
<div class="entries">!${those.map(entry).join('\n')}</div>
</section>`,
    )
    .join('\n')
}
