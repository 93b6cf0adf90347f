import { type Html, html } from '../../markup/html.ts'
import { layout } from '../layout.ts'
import type { SiteView } from '../views.ts'

/** For a search while nothing is there to answer it. */
export function unavailablePage(site: SiteView): Html {
  return layout(site, {
    path: '503',
    title: 'Not now',
    description: 'Search cannot be reached just now.',
    isUnlisted: true,
    content: html`<div class="page-head"><p class="kicker">503</p><h1>Search does not answer just now</h1>
<p class="lede">It is being restarted, or cannot be reached. Your search was not made.</p></div>
<div class="prose"><p>Wait a minute, then load this page again. Reading goes on as always: see <a href="/">the latest ${site.kind.site.plural}</a>, <a href="/topics/">the topics</a> and <a href="/archive/">the archive</a>.</p></div>`,
  })
}
