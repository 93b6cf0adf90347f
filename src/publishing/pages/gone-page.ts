import { type Html, html } from '../../markup/html.ts'
import { layout } from '../layout.ts'
import type { SiteView } from '../views.ts'

export function gonePage(site: SiteView): Html {
  return layout(site, {
    path: '410',
    title: 'Gone',
    description: 'This post was taken down.',
    isUnlisted: true,
    content: html`<div class="page-head"><p class="kicker">410</p><h1>This post was taken down</h1>
<p class="lede">It was here. Its author deleted it, or it was removed under <a href="/policy/">the policy</a>.</p></div>
<div class="prose"><p>It will not come back at another address. If you keep a copy, please delete it: <a href="/deleted.json">deleted.json</a> lists what went in the last 30 days.</p>
<p>Go on to <a href="/">the latest ${site.kind.site.plural}</a>.</p></div>`,
  })
}
