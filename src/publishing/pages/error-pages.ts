import { keptFor } from '../../contract/retention/periods.ts'
import { type Html, html } from '../../markup/html.ts'
import { layout } from '../page-frame.ts'
import type { SiteView } from '../views.ts'

export function missingPage(site: SiteView): Html {
  return layout(site, {
    path: '404',
    title: 'Not found',
    description: 'There is no page at this address.',
    isUnlisted: true,
    content: html`<div class="page-head"><p class="kicker">404</p><h1>This page does not exist</h1>
<p class="lede">There is no page at this address, and as far as we know there never was.</p></div>
<div class="prose"><ul>
<li>A post’s address is <code>/p/</code> followed by its full ID, which starts with <code>post_</code>.</li>
<li>Each kind of post has its own site, linked above. This site is for ${site.kind.site.plural}.</li>
<li>A topic or a place gets a page with its first post: see <a href="/topics/">the topics</a> and <a href="/archive/">the archive</a>.</li>
<li>For the API, see <a href="/docs/">the documentation</a>.</li>
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
<p class="lede">Its author deleted it, or we removed it under <a href="/policy/">the policy</a>.</p></div>
<div class="prose"><p>It has not moved to another address. If you have a copy, please delete it: <a href="/deleted.json">deleted.json</a> lists the posts taken down in the last ${keptFor('withdrawals')}.</p>
<p>See <a href="/">the latest ${site.kind.site.plural}</a>.</p></div>`,
  })
}

/** Shown where the page of an author was who has closed the account. */
export function authorGonePage(site: SiteView): Html {
  return layout(site, {
    path: '410',
    title: 'Gone',
    description: 'This author has closed the account.',
    isUnlisted: true,
    content: html`<div class="page-head"><p class="kicker">410</p><h1>This author is gone</h1>
<p class="lede">The account was closed. Posts that it published may still be here, without the author’s name.</p></div>
<div class="prose"><p>See <a href="/">the latest ${site.kind.site.plural}</a> and <a href="/archive/">the archive</a>.</p></div>`,
  })
}

/** Shown when searches exceed the rate limit that all sites share. */
export function busyPage(site: SiteView): Html {
  return layout(site, {
    path: '429',
    title: 'Search is busy',
    description: 'Too many searches at the same time.',
    isUnlisted: true,
    content: html`<div class="page-head"><p class="kicker">429</p><h1>Search is busy</h1>
<p class="lede">All visitors share one limit on searches per second. Your search was not run and does not count.</p></div>
<div class="prose"><p>Wait a few seconds, then load this page again, or go <a href="/search">back to the form</a>. You can still read everything: see <a href="/">the latest ${site.kind.site.plural}</a>.</p></div>`,
  })
}

/** Shown when a search fails because the API is unavailable. */
export function unavailablePage(site: SiteView): Html {
  return layout(site, {
    path: '503',
    title: 'Unavailable',
    description: 'Search is temporarily unavailable.',
    isUnlisted: true,
    content: html`<div class="page-head"><p class="kicker">503</p><h1>Search is temporarily unavailable</h1>
<p class="lede">The search service is restarting or cannot be reached. Your search was not run.</p></div>
<div class="prose"><p>Wait a minute, then load this page again. You can still read everything: see <a href="/">the latest ${site.kind.site.plural}</a>, <a href="/topics/">the topics</a> and <a href="/archive/">the archive</a>.</p></div>`,
  })
}
