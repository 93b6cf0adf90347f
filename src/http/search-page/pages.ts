import type { Allowance } from '../../calls/count-use.ts'
import { type AllowanceSizes, sizeOf } from '../../contract/limits.ts'
import type { Problem } from '../../contract/problems/problem.ts'
import type { Kind } from '../../kinds/index.ts'
import { type Html, html } from '../../markup/html.ts'
import { layout } from '../../publishing/page-frame.ts'
import { trustNote } from '../../publishing/user-content-notice.ts'
import type { SiteView } from '../../publishing/views.ts'
import { isNarrowed, searchForm } from './form.ts'
import {
  asOfNote,
  exhaustedNote,
  faultyNote,
  heldBackNote,
  leftLine,
  moreNote,
  searchHelp,
  spentLine,
} from './notices.ts'
import {
  allSites,
  type FormFilter,
  nextPath,
  noFaults,
  type SearchFieldErrors,
  type SearchPageQuery,
  searchFieldErrors,
  searchPath,
} from './query.ts'
import { resultList, type SearchResult } from './results.ts'

/** The data that every version of the page needs. */
export type Setting = {
  site: SiteView
  kinds: readonly Kind[]
  filters: readonly FormFilter[]
  sizes: AllowanceSizes
  asked: SearchPageQuery
}

type Parts = {
  cost: Html
  /** `above` goes before the form, for what people must know first; `below` goes after it. */
  above?: Html
  below?: Html
  title?: string
  faults?: SearchFieldErrors
  isFresh?: boolean
  isUserContent?: boolean
}

function page({ site, kinds, filters, asked }: Setting, parts: Parts): Html {
  const { cost, above = '', below = '', title = 'Search', faults = noFaults, isFresh = false } = parts
  const { plural } = site.kind.site
  const others = kinds.filter(({ name }) => name !== site.kind.name).map((kind) => kind.site.plural)
  const elsewhere = `${others.slice(0, -1).join(', ')} and ${others.at(-1)}`
  return layout(site, {
    path: searchPath.slice(1),
    title,
    description: `Search the ${plural} on ${site.kind.site.title}, or all sites.`,
    isUnlisted: true,
    isUserContent: parts.isUserContent ?? false,
    content: html`<div class="page-head"><h1>Search</h1>!${isFresh ? html`<p class="lede">Search the ${plural} here. To search ${elsewhere} too, choose “All sites”.</p>` : ''}</div>
!${above}
!${searchForm(kinds, { filters, asked, faults, cost, isFresh })}
!${below}`,
  })
}

/** The form before a search. `asked.q` is set if a link from another site brought it; it has not been searched for. */
export function formPage(setting: Setting, allowance: Allowance | null): Html {
  const isHeldBack = setting.asked.q !== undefined
  return page(setting, {
    cost: leftLine(allowance),
    above: isHeldBack ? heldBackNote(allowance) : '',
    below: searchHelp(sizesOf(setting)),
    isFresh: !isHeldBack,
  })
}

const sizesOf = ({ sizes }: Setting) => ({
  perAddress: sizeOf(sizes, 'searches-per-address'),
  perKey: sizeOf(sizes, 'searches-per-key'),
})

export type Found = {
  data: readonly SearchResult[]
  next_cursor: string | null
  as_of: string
  metering: { free_remaining: number }
}

/** The results, the search that they used, and the link to more. */
export function resultsPage(setting: Setting, found: Found, at: Date): Html {
  const { perAddress: max } = sizesOf(setting)
  const allowance = max > 0 ? { max, remaining: found.metering.free_remaining } : null
  const isEmpty = found.data.length === 0
  return page(setting, {
    title: `${setting.asked.q}: search`,
    cost: spentLine(allowance),
    below: html`<section class="search-results" aria-labelledby="results">
!${isEmpty ? nothing(setting, allowance) : list(setting, found, allowance)}!${asOfNote(found.as_of, at)}
</section>`,
    isUserContent: !isEmpty,
  })
}

const list = ({ asked, kinds }: Setting, { data, next_cursor }: Found, allowance: Allowance | null): Html =>
  html`<div class="list-head"><h2 id="results">!${headline(asked, data.length, next_cursor !== null, kinds)}</h2></div>
!${trustNote()}
!${resultList(kinds, data)}
!${next_cursor === null ? '' : html`<p class="more-results"><a rel="next nofollow" href="${nextPath(asked, next_cursor)}">Next results</a> <span>!${moreNote(allowance)}</span></p>`}
!${asked.kind === allSites ? '' : html`<p class="more-results"><a rel="nofollow" href="${everywhere(asked)}">Search all sites</a> <span>!${moreNote(allowance)}</span></p>`}`

/** The same words without filters, on all sites. */
const everywhere = ({ q = '' }: SearchPageQuery): string =>
  `${searchPath}?${new URLSearchParams({ q, kind: allSites })}`

const sought = ({ q }: SearchPageQuery): Html => html`“<bdi lang="">${q}</bdi>”`

function headline(asked: SearchPageQuery, count: number, hasMore: boolean, kinds: readonly Kind[]): Html {
  const found = kinds.find(({ name }) => name === asked.kind)?.site ?? { noun: 'post', plural: 'posts' }
  const posts = count === 1 ? found.noun : found.plural
  if (asked.cursor) return html`The ${hasMore ? 'next' : 'last'} ${count} ${posts} for !${sought(asked)}`
  return hasMore
    ? html`The first ${count} ${posts} for !${sought(asked)}`
    : html`${count} ${posts} for !${sought(asked)}`
}

function nothing({ asked, filters }: Setting, allowance: Allowance | null): Html {
  const wider = isNarrowed(asked, filters) ? widerLink(asked, allowance) : ''
  return html`<div class="empty nothing"><h2 id="results">${asked.cursor ? 'No more posts' : 'No posts'} for !${sought(asked)}</h2>
<ul>
!${wider}
<li>Try fewer words: a post must contain all of them.</li>
<li>Try another spelling or a synonym.</li>
<li>Search leaves out expired ads and past events; find them in <a href="/archive/">the archive</a>.</li>
</ul></div>`
}

const widerLink = (asked: SearchPageQuery, allowance: Allowance | null): Html =>
  html`<li><a rel="nofollow" href="${everywhere(asked)}">Search all sites without filters</a>${allowance ? ', which ' : ''}!${moreNote(allowance)}.</li>`

/** For a search that was refused or failed: it does not count. */
export function problemPage(setting: Setting, problem: Problem): Html {
  if (problem.code === 'invalid_query') {
    const faults = searchFieldErrors(problem, setting.filters)
    return page(setting, {
      ...{ cost: '', faults, above: faultyNote(faults.size === 0) },
      below: searchHelp(sizesOf(setting)),
    })
  }
  if (problem.code === 'search_allowance_exhausted') {
    const secondsLeft = Number(problem.headers['retry-after'])
    const cost = leftLine({ max: sizesOf(setting).perAddress, remaining: 0 })
    return page(setting, { cost, above: exhaustedNote({ secondsLeft, ...sizesOf(setting) }) })
  }
  return page(setting, { cost: '', above: failedNote(problem) })
}

const failedNote = ({ status }: Problem): Html => html`<div class="search-note">
<h2>${status < 500 ? 'This request is not valid' : 'Search is temporarily unavailable'}</h2>
<p>${status < 500 ? 'Use the form below to search.' : 'Something went wrong on our side. Wait a moment, then press Search again.'} This did not count as a search. You can still read posts: see <a href="/">the latest</a>.</p>
</div>`
