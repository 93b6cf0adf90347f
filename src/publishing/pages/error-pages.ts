import { type Html, html } from '../../markup/html.ts'
import { layout } from '../page-frame.ts'
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
