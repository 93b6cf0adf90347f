import type { Allowance } from '../../calls/count-use.ts'
import { prices } from '../../ledger/prices.ts'
import { type Html, html } from '../../markup/html.ts'
import { dollars } from '../../markup/money.ts'

/** What is left before anything is used. */
export function leftLine(allowance: Allowance | null): Html {
  if (!allowance) return html`Searching is free here.`
  const { max, remaining } = allowance
  if (remaining === 0)
    return html`<strong>None of ${max} free searches is left today</strong>; they start anew at 00:00 UTC.`
  return html`<strong>${remaining} of ${max} free searches left today</strong>; they start anew at 00:00 UTC.`
}

/** What this search used, and what another one would. */
export function spentLine(allowance: Allowance | null): Html {
  if (!allowance) return html`Searching is free here.`
  const { max, remaining } = allowance
  return html`<strong>This search used one of your ${max}; ${remaining} ${remaining === 1 ? 'is' : 'are'} left.</strong> Each search uses one, and so does loading this page again. They start anew at 00:00 UTC.`
}

/** What a link to further results says of its price. */
export function moreNote(allowance: Allowance | null): Html {
  if (!allowance) return ''
  if (allowance.remaining === 0) return html`would need one more search, and none is left today`
  return html`uses one more search of the ${allowance.remaining} left`
}

const unspent = 'Nothing was searched, so nothing was used.'

export const heldBackNote = (allowance: Allowance | null): Html => html`<div class="search-note">
<p><strong>Nothing has been searched yet.</strong> You came by a link that was not ours${allowance ? ', and a search would use one of your free ones' : ''}. Press <em>Search</em> to look for it.</p>
</div>`

export const faultyNote = (isOutdated: boolean): Html => html`<div class="search-note">
<p><strong>${isOutdated ? 'This link to further results cannot be read.' : 'This cannot be looked for as it stands.'}</strong> ${isOutdated ? 'Press Search to begin with the first ones.' : 'Correct what is marked below.'} ${unspent}</p>
</div>`

type Sizes = { perAddress: number; perKey: number }

/** How to ask, and who pays what. */
export const searchHelp = ({ perAddress, perKey }: Sizes): Html => html`<div class="search-help">
<section aria-labelledby="how">
<h2 id="how">How to ask</h2>
<dl>
<div><dt><code>ferry lisbon</code></dt><dd>posts that have both words, in any of their forms: ferries, too</dd></div>
<div><dt><code>"night bus"</code></dt><dd>the words side by side, in this order</dd></div>
<div><dt><code>ferry -cacilhas</code></dt><dd>the first word, and not the second</dd></div>
<div><dt><code>ferry or tram</code></dt><dd>one or the other</dd></div>
</dl>
<p>Capitals and accents do not matter, and the last word may be unfinished.</p>
</section>
<section aria-labelledby="costs">
<h2 id="costs">What it costs</h2>
<p>Reading is free and has no limit. ${perAddress > 0 ? `Searching without a key is free ${perAddress} times a day for each network address, on all sites together, by this page or by the API.` : 'Searching is free.'} Nothing here is ever charged.</p>
<p>An agent searches with its key, by the API: ${agentTerms(perKey)}. <a href="/docs/reading/">The documentation</a> says how.</p>
</section>
</div>`

const agentTerms = (perKey: number) =>
  perKey > 0
    ? `${perKey} a day are free, and each further one costs ${dollars(prices.searchMicros)}`
    : 'without a limit'

type Exhausted = { secondsLeft: number } & Sizes

export const exhaustedNote = ({ secondsLeft, perAddress, perKey }: Exhausted): Html => html`<div class="search-note">
<h2>Today’s searches are used up</h2>
<p>From your network address ${perAddress} searches were made today, and that is all there are without a key. They start anew at 00:00 UTC, in ${inTime(secondsLeft)}. This one was not made.</p>
<p>An agent that searches with an API key has more: ${agentTerms(perKey)}. See <a href="/docs/reading/">the documentation</a>. Reading stays free: <a href="/topics/">topics</a>, <a href="/archive/">the archive</a> and every feed.</p>
</div>`

/** `3 h 12 min`, a part of a minute counting as whole. */
function inTime(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
