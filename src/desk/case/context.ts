import { strikesToBan } from '../../accounts/strikes.ts'
import type { CaseView } from '../../cases/read-case.ts'
import type { Excerpt } from '../../cases/similar-posts.ts'
import { shortDay } from '../../markup/dates.ts'
import { type Html, html } from '../../markup/html.ts'
import type { Sites } from '../../posts/sites.ts'
import { badge } from '../../web-pages/elements.ts'
import { age, categoryTitle, nounOf, outcomeWords, percent, statusWords } from './labels.ts'
import { whoDecided } from './reason.ts'
import { stagesCard } from './stages-card.ts'

type Told = { view: CaseView; sites: Sites; names: ReadonlyMap<string, string>; at: Date }

/** How many of the author's other posts are shown. The others are collapsed. */
const postsShown = 4

/** The sidebar: the author, the automated checks, similar posts, past decisions and the author's other posts. */
export const contextOf = (told: Told): Html => html`<div class="context">
!${authorCard(told)}!${stagesCard(told.view)}!${alikeCard(told)}!${historyCard(told)}!${otherPosts(told)}</div>`

function authorCard({ view: { author } }: Told): Html {
  const { name, standing, strikes, trust, created_at, counts } = author
  const totals = Object.entries(counts).map(
    ([status, count]) =>
      html`<li><strong>${count}</strong> ${statusWords(status as CaseView['post']['status']).label}</li>`,
  )
  return html`<section><h2>Author</h2>
<p class="author-name" dir="auto">${name}</p>
<p class="marks">!${standing === 'good' ? '' : html`!${badge(standing, 'bad')} `}!${badge(
    `${strikes} of ${strikesToBan} strikes`,
    strikes > 0 ? 'bad' : null,
  )} !${badge(trust.level === 'trusted' ? 'trusted' : 'not trusted yet', trust.level === 'trusted' ? 'good' : null)}</p>
!${trustDetails(trust)}
<p class="small">Member since ${shortDay(created_at)}</p>
<ul class="plain totals">!${totals.join('')}</ul></section>`
}

const trustDetails = ({ level, since, needs }: CaseView['author']['trust']): Html =>
  level === 'trusted'
    ? html`<p class="small">Trusted since ${shortDay(since)}</p>`
    : html`<p class="small">Still needed for trust:</p><ul class="needs">!${needs.map((need) => html`<li>${need}</li>`).join('')}</ul>`

function otherPosts({ view: { author, duplicates }, sites, at }: Told): Html {
  const rows = author.recent.map(
    ({ kind, status, created_at, category, ...post }) =>
      html`<li><span class="what">${nounOf(sites, kind).noun} !${stateOf(status, category)}!${beginning(post)}</span> !${age(created_at, at)}</li>`,
  )
  const rest = rows.slice(postsShown)
  return html`<section><h2>Other posts by this author</h2>
!${rows.length === 0 ? html`<p class="small">None.</p>` : html`!${duplicates.length > 0 ? '' : strangersToo}<ul class="plain rows">!${rows.slice(0, postsShown).join('')}</ul>`}
!${rest.length > 0 ? html`<details><summary>${rest.length} more</summary><ul class="plain rows">!${rest.join('')}</ul></details>` : ''}</section>`
}

function stateOf(status: CaseView['post']['status'], category: string | null): Html {
  const { label, tone } = statusWords(status)
  const isRefused = status === 'rejected' || status === 'removed'
  return html`<span class="state!${tone ? html` ${tone}` : ''}">${label}${isRefused && category ? `: ${categoryTitle(category)}` : ''}</span>`
}

/** Once, above the first excerpts. */
const strangersToo = html`<p class="small">Excerpts. This text is untrusted, too.</p>`

/** An untrusted excerpt, with a link to the public page for reading the whole text. */
const beginning = ({ excerpt, url }: Excerpt): Html =>
  html`<span class="beginning" dir="auto">${excerpt ?? 'The text is no longer stored.'}</span>!${url ? html` <a class="public" href="${url}" rel="noreferrer" target="_blank">Public page</a>` : ''}`

function alikeCard({ view: { duplicates }, sites, at }: Told): Html {
  if (duplicates.length === 0)
    return html`<section><h2>Similar posts</h2><p class="small">No similar posts.</p></section>`
  const items = duplicates.map(
    ({ similarity, kind, edit, status, same_author, created_at, ...post }) =>
      html`<li><span class="figure">${percent(similarity)}</span> <span class="what">${edit > 0 ? `edit of ${nounOf(sites, kind).one}` : nounOf(sites, kind).noun} by ${same_author ? 'the same author' : 'another author'}, !${stateOf(status, null)}!${beginning(post)}</span> !${age(created_at, at)}</li>`,
  )
  return html`<section><h2>Similar posts</h2>!${strangersToo}<ul class="plain rows">!${items.join('')}</ul></section>`
}

function historyCard({ view: { history }, names, at }: Told): Html {
  if (history.length === 0) return html`<section><h2>Past decisions</h2><p class="small">None yet.</p></section>`
  const items = history.map((decision) => {
    const { outcome, category, edit, decided_at } = decision
    return html`<li><span class="what">${edit > 0 ? `Edit ${edit}: ` : ''}${outcomeWords[outcome]}${category ? `, ${categoryTitle(category)}` : ''} <span class="soft">by ${whoDecided(decision, names)}</span></span> !${age(decided_at, at)}</li>`
  })
  return html`<section><h2>Past decisions</h2><ol class="plain rows">!${items.join('')}</ol></section>`
}
