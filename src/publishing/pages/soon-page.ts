import { type Html, html } from '../../markup/html.ts'
import { feedLinks, layout } from '../page-frame.ts'
import { trustNote } from '../user-content-notice.ts'
import type { ListingView, SiteView } from '../views.ts'
import { crumbs, entries, subscription } from './listing-parts.ts'

/** The events of today or this weekend. */
export function soonPage(site: SiteView, view: ListingView): Html {
  const { plural, title } = site.kind.site
  const file = { type: 'text/calendar', href: `/${view.path}/events.ics`, title: 'Calendar' }
  return layout(site, {
    path: `${view.path}/`,
    title: `${view.name}: ${plural}`,
    description: `The ${plural} of ${view.name.toLowerCase()} on ${title}, each by the date of its own time zone.`,
    alternates: [file],
    isUserContent: view.posts.length > 0,
    content: html`<div class="page-head">
!${crumbs([{ path: 'months', name: 'Calendar' }])}
<h1>${view.name}</h1>
</div>
<section class="list" aria-labelledby="posts">
<div class="list-head"><h2 id="posts">${view.listedCount.toLocaleString('en')} ${view.listedCount === 1 ? site.kind.site.noun : plural}</h2>!${feedLinks([file, ...subscription(site, view.path)])}</div>
!${view.posts.length > 0 ? html`!${trustNote()}!${entries(site, view.posts)}` : html`<div class="empty"><p>No ${plural} ${view.path === 'today' ? 'today' : 'this weekend'}.</p><p>See <a href="/months/">the calendar</a> for later ones.</p></div>`}
</section>`,
  })
}
