import { dateParts, longMonth } from '../../kinds/presentation/dates.ts'
import { type Html, html } from '../../markup/html.ts'
import { layout } from '../page-frame.ts'
import { trustNote } from '../user-content-notice.ts'
import type { ArchiveIndexView, ArchivePageView, SiteView } from '../views.ts'
import { countedLinks } from './listing-indexes.ts'
import { crumbs, entries, monthPager } from './listing-parts.ts'

export function archivePage(site: SiteView, view: ArchivePageView): Html {
  const month = longMonth(view.month)
  const { plural } = site.kind.site
  return layout(site, {
    path: `archive/${view.month}/${view.number}/`,
    title: `${month}, page ${view.number}`,
    description: `The ${plural} published in ${month}, in order of publication, page ${view.number}.`,
    isUserContent: view.posts.length > 0,
    content: html`<div class="page-head">
!${crumbs([{ path: 'archive', name: 'Archive' }])}
<h1>${isByAnnouncement(site) ? `Announced in ${month}` : month}</h1>
</div>
<section class="list archive" aria-labelledby="posts">
<div class="list-head"><h2 id="posts">${headingOf(site, view)}</h2> <p class="count">${isByAnnouncement(site) ? 'Sorted by event date' : 'Oldest first'}</p></div>
!${view.posts.length > 0 ? html`!${trustNote()}!${entries(site, view.posts)}` : html`<div class="empty"><p>All posts on this page have been taken down.</p></div>`}
!${pager(view)}
</section>
!${months(view)}`,
  })
}

/** Readers expect the month in which an event takes place, so its archive says that it is another one. */
const isByAnnouncement = ({ kind }: SiteView): boolean => kind.presentation.occasion !== undefined

/** The number of the page, if the month has several. */
function headingOf({ kind }: SiteView, { number, hasNext, posts }: ArchivePageView): string {
  if (number > 1 || hasNext) return `Page ${number}`
  return `${posts.length} ${posts.length === 1 ? kind.site.noun : kind.site.plural}`
}

function pager({ month, number, hasPrevious, hasNext }: ArchivePageView): Html {
  if (!hasPrevious && !hasNext) return ''
  return html`<nav class="pager" aria-label="Pages">
!${hasPrevious ? html`<a rel="prev" href="/archive/${month}/${number - 1}/">← Page ${number - 1}</a>` : html`<span></span>`}
!${hasNext ? html`<a rel="next" href="/archive/${month}/${number + 1}/">Page ${number + 1} →</a>` : ''}
</nav>`
}

function months({ months: beside }: ArchivePageView): Html {
  const link = (month: string | null = null) =>
    month === null ? null : { path: `archive/${month}/1`, name: longMonth(month) }
  return monthPager('archive/', { previous: link(beside?.previous), next: link(beside?.next) })
}

export function archiveIndexPage(site: SiteView, view: ArchiveIndexView): Html {
  const { plural, title } = site.kind.site
  const years = Map.groupBy(view.months, ({ month }) => month.slice(0, 4))
  return layout(site, {
    path: 'archive/',
    title: 'Archive',
    description: `Everything on ${title}, by month of publication.`,
    content: html`<div class="page-head"><h1>Archive</h1><p class="lede">All ${plural} by the month in which they were ${isByAnnouncement(site) ? 'announced' : 'published'}, in UTC. !${isByAnnouncement(site) ? html`For the month in which they take place, see <a href="/months/">the calendar</a>. ` : ''}The numbers include ${plural} that were taken down.</p></div>
!${view.months.length === 0 ? html`<div class="empty"><p>Nothing has been published yet.</p></div>` : ''}
!${[...years].map(([year, months]) => countedLinks(site, year, months.map(monthLink))).join('\n')}`,
  })
}

const monthLink = ({ month, count }: ArchiveIndexView['months'][number]) => ({
  path: `archive/${month}/1`,
  name: dateParts(`${month}-01`).month,
  count,
})
