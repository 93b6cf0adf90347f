import { type Html, html } from '../../markup/html.ts'
import { feedLinks, layout } from '../page-frame.ts'
import { trustNote } from '../user-content-notice.ts'
import type { SiteView, SoonView } from '../views.ts'
import { countLine, crumbs, entries, soonLinks, subscription } from './listing-parts.ts'

/** The events of today or this weekend. If there are none, the page shows the next ones. */
export function soonPage(site: SiteView, view: SoonView): Html {
  const { plural, title } = site.kind.site
  const file = { type: 'text/calendar', href: `/${view.path}/events.ics`, title: 'iCal' }
  const shown = view.posts.length > 0 ? view.posts : view.next
  return layout(site, {
    path: `${view.path}/`,
    section: 'months/',
    title: `${view.name}: ${plural}`,
    description: `The ${plural} of ${view.name.toLowerCase()} on ${title}, each by the date of its own time zone.`,
    alternates: [file],
    isUserContent: shown.length > 0,
    content: html`<div class="page-head">
!${crumbs([{ path: 'months', name: 'Calendar' }])}
<h1>${view.name}</h1>
!${soonLinks(view.path)}
</div>
!${view.posts.length > 0 ? '' : nothingOn(site, view)}
!${
      shown.length > 0
        ? html`<section class="list" aria-labelledby="posts">
<div class="list-head"><h2 id="posts">${view.posts.length > 0 ? countLine(site, view) : 'Next up'}</h2>!${feedLinks([file, ...subscription(site, view.path)])}</div>
!${trustNote()}!${entries(site, shown)}
</section>`
        : ''
    }`,
  })
}

const nothingOn = ({ kind }: SiteView, { path, next }: SoonView): Html => html`<div class="empty">
<p>No ${kind.site.plural} ${path === 'today' ? 'today' : 'this weekend'}.</p>
!${next.length > 0 ? html`<p><a href="/months/">All upcoming ${kind.site.plural} by month</a></p>` : ''}
</div>`
