import { strikesToBan } from '../../accounts/strikes.ts'
import type { CaseView } from '../../cases/read-case.ts'
import { type Html, html } from '../../markup/html.ts'
import { when } from '../../web-pages/elements.ts'
import { categoryTitle, counted, outcomeWords } from './labels.ts'

/** Why the case is in the queue. */
export function reasonOf(view: CaseView, names: ReadonlyMap<string, string>): Html {
  const reasons = {
    review: reviewReason,
    report: reportReason,
    appeal: appealReason,
    check: checkReason,
    audit: auditReason,
  }
  return html`<section class="reason" aria-label="Why it is here">!${reasons[view.case.kind](view, names)}</section>`
}

function reviewReason({ model, suspected, case: found }: CaseView): Html {
  if (!model) return html`<p>The model returned no result, so a person decides.</p>`
  const named = suspected.map(categoryTitle)
  const what = found.edit > 0 ? 'The published post stays unchanged until the edit is decided.' : ''
  return named.length > 0
    ? html`<p>The model was unsure. It suspects <strong>${named.join(' and ')}</strong>. ${what}</p>`
    : html`<p>The model was unsure and named no category. ${what}</p>`
}

function reportReason({ reports, case: found }: CaseView): Html {
  const counts = [...Map.groupBy(reports, ({ category }) => category)].sort(
    ([, one], [, other]) => other.length - one.length,
  )
  return html`<p>${counted(found.reports, 'report')} about the public version: !${counts
    .map(
      ([category, those]) =>
        html`<strong>${categoryTitle(category)}</strong>${those.length > 1 ? ` ×\u00a0${those.length}` : ''}`,
    )
    .join(', ')}.</p>`
}

/** How many report texts are shown. The others are collapsed. */
const wordsShown = 3

/** What reporters or the author wrote about the post, shown above the post: it says what to look for. */
export function wordsAbout(view: CaseView): Html {
  const { kind } = view.case
  return kind === 'report' ? reportersWords(view) : kind === 'appeal' ? appellantsWords(view) : ''
}

function reportersWords({ reports }: CaseView): Html {
  const said = reports.filter(({ detail }) => detail)
  const items = said.map(
    ({ detail, category, received_at, by_account }) => html`<li><div class="quoted lines" dir="auto">${detail}</div>
<p class="small">${categoryTitle(category)} · !${when(received_at)} · by ${by_account ? 'an account' : 'someone without an account'}</p></li>`,
  )
  const rest = items.slice(wordsShown)
  if (said.length === 0) return html`<p class="small">No reporter gave details.</p>`
  return html`<section class="reason" aria-labelledby="said"><h2 id="said">What reporters wrote</h2>
<p class="small">This text is untrusted.</p><ul class="plain said">!${items.slice(0, wordsShown).join('')}</ul>
!${rest.length > 0 ? html`<details><summary>${rest.length} more</summary><ul class="plain said">!${rest.join('')}</ul></details>` : ''}</section>`
}

function appellantsWords({ appeal }: CaseView): Html {
  if (!appeal?.message) return html`<p class="small">The author’s message is no longer stored.</p>`
  return html`<section class="reason" aria-labelledby="said"><h2 id="said">What the author wrote</h2>
<p class="small">This text is untrusted.</p><div class="quoted lines" dir="auto">${appeal.message}</div></section>`
}

function appealReason({ history, case: found }: CaseView, names: ReadonlyMap<string, string>): Html {
  const refusal = history.findLast(
    ({ edit, outcome }) =>
      edit === found.edit && outcome !== 'review' && outcome !== 'restore' && outcome !== 'publish',
  )
  return html`<p>The author says that the decision is wrong.!${
    refusal
      ? html` It was <strong>${outcomeWords[refusal.outcome]}</strong>${refusal.category ? ` for ${categoryTitle(refusal.category)}` : ''} by ${whoDecided(refusal, names)}, !${when(refusal.decided_at)}.`
      : ''
  }</p>`
}

function checkReason({ case: found, suspected, author }: CaseView): Html {
  const named = suspected.map(categoryTitle).join(' and ')
  const isBanned = author.standing === 'banned' && author.strikes >= strikesToBan
  return html`<p>The model rejected it on its own${named ? ' for ' : ''}!${named ? html`<strong>${named}</strong>` : ''}, !${when(found.opened_at)}. The author was charged 10× the fee and got a strike${isBanned ? ', which banned the account' : ''}. No person has reviewed this yet.</p>`
}

function auditReason({ case: found, suspected }: CaseView): Html {
  const named = suspected.map(categoryTitle).join(' and ')
  const done =
    found.audited === 'published'
      ? html`<strong>published</strong> it`
      : html`<strong>rejected</strong> it${named ? ` for ${named}` : ''}`
  return html`<p>Sampled at random: the model !${done}, !${when(found.opened_at)}. Nobody complained. Ignore the model’s decision when you decide: your decision measures how often it is wrong.</p>`
}

type Made = { automated: boolean; actor: string }

/** Staff members are shown by name. */
export function whoDecided({ automated, actor }: Made, names: ReadonlyMap<string, string>): string {
  if (automated) return actor.startsWith('model:') ? 'the model' : 'the system'
  return names.get(actor) ?? 'the operator'
}
