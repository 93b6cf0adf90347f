import { type Html, html } from '../../markup/html.ts'
import { layout } from '../layout.ts'
import { trustNote } from '../trust-note.ts'
import type { ArchivePageView, SiteView } from '../views.ts'
import { crumbs } from './crumbs.ts'
import { entries } from './entries.ts'
import { monthName } from './month-name.ts'

export function archivePage(site: SiteView, view: ArchivePageView): Html {
  const month = monthName(view.month)
  const { plural } = site.kind.site
  return layout(site, {
    path: `archive/${view.month}/${view.number}/`,
    title: `${month}, page ${view.number}`,
    description: `The ${plural} of ${month} in the order of their publication, page ${view.number}.`,
    isUserContent: view.posts.length > 0,
    content: html`<div class="page-head">
!${crumbs([{ path: 'archive', name: 'Archive' }])}
<h1>${month}</h1>
</div>
<section class="list archive" aria-labelledby="posts">
<div class="list-head"><h2 id="posts">Page ${view.number}</h2> <p class="count">${site.kind.presentation.occasion ? 'By the day they take place' : 'Oldest first'}</p></div>
!${view.posts.length > 0 ? html`!${trustNote()}\n!${entries(site, view.posts)}` : html`<div class="empty"><p>Nothing that was published here still stands.</p></div>`}
!${pager(view)}
</section>`,
  })
}

const pager = ({
  month,
  number,
  hasPrevious,
  hasNext,
}: ArchivePageView): Html => html`<nav class="pager" aria-label="Pages">
!${hasPrevious ? html`<a rel="prev" href="/archive/${month}/${number - 1}/">← Page ${number - 1}</a>` : ''}
<a href="/archive/">All months</a>
!${hasNext ? html`<a rel="next" href="/archive/${month}/${number + 1}/">Page ${number + 1} →</a>` : ''}
</nav>`
