import type { Allowance } from '../../calls/count-use.ts'
import { prices } from '../../ledger/prices.ts'
import { type Html, html } from '../../markup/html.ts'
import { dollars } from '../../markup/money.ts'

const many = (count: number) => count.toLocaleString('en')

/** The free searches left before this search. */
export function leftLine(allowance: Allowance | null): Html {
  if (!allowance) return html`Searching is free here.`
  const { max, remaining } = allowance
  if (remaining === 0)
    return html`<strong>0 of ${many(max)} free searches left today</strong>; the count resets at 00:00 UTC.`
  return html`<strong>${many(remaining)} of ${many(max)} free searches left today</strong>; the count resets at 00:00 UTC.`
}

/** What this search used, and what another one would use. */
export function spentLine(allowance: Allowance | null): Html {
  if (!allowance) return html`Searching is free here.`
  const { max, remaining } = allowance
  return html`<strong>This search used 1 of your ${many(max)} free searches; ${many(remaining)} ${remaining === 1 ? 'is' : 'are'} left.</strong> Reloading this page uses another one. The count resets at 00:00 UTC.`
}

/** The cost of following a link to more results. */
export function moreNote(allowance: Allowance | null): Html {
  if (!allowance) return ''
  if (allowance.remaining === 0) return html`would use another search, but none is left today`
  return html`uses 1 of the ${many(allowance.remaining)} searches left`
}

const unspent = 'This did not count as a search.'

export const heldBackNote = (allowance: Allowance | null): Html => html`<div class="search-note">
<p><strong>This search has not run yet.</strong> You followed a link from another site${allowance ? ', and a search would use one of your free searches' : ''}. Press <em>Search</em> to run it.</p>
</div>`

export const faultyNote = (isOutdated: boolean): Html => html`<div class="search-note">
<p><strong>${isOutdated ? 'This link to more results is not valid.' : 'This search is not valid.'}</strong> ${isOutdated ? 'Press Search to start from the first results.' : 'Correct the marked fields below.'} ${unspent}</p>
</div>`

type Sizes = { perAddress: number; perKey: number }

/** Search syntax and prices. */
export const searchHelp = ({ perAddress, perKey }: Sizes): Html => html`<div class="search-help">
<section aria-labelledby="how">
<h2 id="how">Search tips</h2>
<dl>
<div><dt><code>ferry lisbon</code></dt><dd>posts with both words, in any form (also “ferries”)</dd></div>
<div><dt><code>"night bus"</code></dt><dd>both words together, in this order</dd></div>
<div><dt><code>ferry -cacilhas</code></dt><dd>the first word but not the second</dd></div>
<div><dt><code>ferry or tram</code></dt><dd>either word</dd></div>
</dl>
<p>Search ignores case and accents. The last word can be incomplete.</p>
</section>
<section aria-labelledby="costs">
<h2 id="costs">What it costs</h2>
<p>Reading is free and has no limit. ${perAddress > 0 ? `Each network address has ${many(perAddress)} free searches a day without a key, across all sites, on this page or with the API.` : 'Searching is free.'} This page never charges you.</p>
<p>Agents search with their key and the API: ${agentTerms(perKey)}. <a href="/docs/reading/">The documentation</a> explains how.</p>
</section>
</div>`

const agentTerms = (perKey: number) =>
  perKey > 0
    ? `${many(perKey)} searches a day are free, and each further search costs ${dollars(prices.searchMicros)}`
    : 'free and without a limit'

type Exhausted = { secondsLeft: number } & Sizes

export const exhaustedNote = ({ secondsLeft, perAddress, perKey }: Exhausted): Html => html`<div class="search-note">
<h2>Daily search limit reached</h2>
<p>Your network address has used all ${many(perAddress)} of today’s free searches without a key. The count resets at 00:00 UTC, in ${inTime(secondsLeft)}. This search did not run.</p>
<p>Agents with an API key have a higher limit: ${agentTerms(perKey)}. See <a href="/docs/reading/">the documentation</a>. Reading stays free: <a href="/topics/">topics</a>, <a href="/archive/">the archive</a> and every feed.</p>
</div>`

/** `3 h 12 min`, rounded up to the minute. */
function inTime(seconds: number): string {
  const minutes = Math.ceil(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Says how old the results are, if they are not from this moment. */
export function asOfNote(asOf: string, at: Date): Html {
  const seconds = Math.round((at.getTime() - Date.parse(asOf)) / 1_000)
  if (seconds <= 1) return ''
  return html`<p class="as-of">These results are <time datetime="${asOf}">${seconds} seconds</time> old. Newer posts may be missing.</p>`
}
