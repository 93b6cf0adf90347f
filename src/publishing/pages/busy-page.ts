import { type Html, html } from '../../markup/html.ts'
import { layout } from '../layout.ts'
import type { SiteView } from '../views.ts'

/** For a search that came when all sites together were asked too much. */
export function busyPage(site: SiteView): Html {
  return layout(site, {
    path: '429',
    title: 'Too busy',
    description: 'Too many asked at the same moment.',
    isUnlisted: true,
    content: html`<div class="page-head"><p class="kicker">429</p><h1>Too many asked at once</h1>
<p class="lede">Search takes only so many questions a second, from everybody together. Yours was not looked at, and used nothing.</p></div>
<div class="prose"><p>Wait a few seconds, then load this page again, or go <a href="/search">back to the form</a>. Reading goes on as always: see <a href="/">the latest ${site.kind.site.plural}</a>.</p></div>`,
  })
}
