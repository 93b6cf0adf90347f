import { dateParts } from '../../kinds/dates.ts'
import { type Html, html } from '../../markup/html.ts'
import { layout } from '../layout.ts'
import type { ArchiveIndexView, SiteView } from '../views.ts'

export function archiveIndexPage(site: SiteView, view: ArchiveIndexView): Html {
  const { plural, title } = site.kind.site
  const years = Map.groupBy(view.months, ({ month }) => month.slice(0, 4))
  return layout(site, {
    path: 'archive/',
    title: 'Archive',
    description: `Everything that stands on ${title}, by the month of its publication.`,
    content: html`<div class="page-head"><h1>Archive</h1><p class="lede">All ${plural} that still stand, by the month of their publication, in UTC.</p></div>
!${view.months.length === 0 ? html`<div class="empty"><p>Nothing has been published yet.</p></div>` : ''}
!${[...years].map(([year, months]) => yearOf(year, months)).join('\n')}`,
  })
}

const yearOf = (
  year: string,
  months: ArchiveIndexView['months'],
): Html => html`<section class="archive-year" aria-labelledby="y${year}">
<h2 id="y${year}">${year}</h2>
<ol>!${months.map(({ month, pages }) => html`<li><a href="/archive/${month}/1/">${dateParts(`${month}-01`).month}</a> <span class="count">${pages.toLocaleString('en')} ${pages === 1 ? 'page' : 'pages'}</span></li>`)}</ol>
</section>`
