import { type Html, html } from '../../markup/html.ts'
import { layout } from '../layout.ts'
import type { SiteView } from '../views.ts'

export function missingPage(site: SiteView): Html {
  return layout(site, {
    path: '404',
    title: 'Not found',
    description: 'There is no page at this address.',
    isUnlisted: true,
    content: html`<div class="page-head"><p class="kicker">404</p><h1>Nothing is nailed up here</h1>
<p class="lede">There is no page at this address, and none that we know of ever was.</p></div>
<div class="prose"><ul>
<li>A post’s address is <code>/p/</code> and its whole identifier, which begins with <code>post_</code>.</li>
<li>Each kind of post has a site of its own, linked above: this one has ${site.kind.site.plural}.</li>
<li>A topic or a place has a page once something was published under it: see <a href="/topics/">the topics</a> and <a href="/archive/">the archive</a>.</li>
<li>What the API answers is in <a href="/docs/">the documentation</a>.</li>
</ul></div>`,
  })
}
