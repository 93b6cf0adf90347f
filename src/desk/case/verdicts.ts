import { type CaseKind, type VerdictDefinition, type VerdictId, verdictsOf } from '../../cases/case-kinds.ts'
import type { QueuedCase } from '../../cases/queue.ts'
import { type Html, html } from '../../markup/html.ts'
import { type PolicyCategoryId, policy } from '../../policy/policy.ts'
import { csrfField } from '../../web-pages/form.ts'
import { caseUrl, kindField } from './address.ts'
import { counted, keyCap } from './labels.ts'

type Bar = {
  found: QueuedCase
  suspected: readonly PolicyCategoryId[]
  csrf: string
  /** The kind of case that they keep to. */
  kind: CaseKind | undefined
  at: Date
}

/** What can be done with the case, always in reach: to decide it for who holds it, to take it for others. */
export const verdictBar = (bar: Bar): Html => (bar.found.mine ? html`!${deciding(bar)}!${choosers(bar)}` : waiting(bar))

const tones: Record<VerdictId, 'good' | 'bad'> = {
  publish: 'good',
  reject: 'bad',
  low_quality: 'bad',
  keep: 'good',
  remove: 'bad',
  uphold: 'good',
  dismiss: 'bad',
  confirm: 'bad',
  overturn: 'good',
}

/**
 * The case's page asks for more time at `data-renew`; when the answer is no, what stands under `lost` takes the place of
 * the buttons, and what stands under `signed-out` when the session is over.
 */
function deciding({ found, csrf, kind }: Bar): Html {
  const url = caseUrl(found.key)
  const buttons = verdictsOf(found.kind, found.audited).map((verdict) => {
    const { id, key, label, says, needsCategory } = verdict
    const what = needsCategory
      ? html`type="button" popovertarget="${chooserId(verdict)}"`
      : html`type="submit" name="verdict" value="${id}"`
    return html`<button class="button verdict ${tones[id]}" !${what} data-key="${key}" title="${says}">${label} !${keyCap(key)}</button>`
  })
  return html`<div class="verdicts" role="group" aria-label="Your decision" data-renew="${url}/renew">
<form class="held" method="post" action="${url}/decide">!${csrfField(csrf)}!${kindField(kind)}!${seenField(found)}
!${buttons.join('')}
<button class="button quiet pass" type="submit" formaction="${url}/skip" data-key="s">Skip !${keyCap('s')}</button></form>
<div class="lost" role="alert" hidden><p><strong>This case is not yours any more.</strong> It waited too long, or somebody freed it.</p>
!${takeForm({ found, csrf, kind }, html`<button class="button quiet" type="submit" data-key="t">Take it again !${keyCap('t')}</button>`)}
!${nextForm(csrf, { kind })}</div>
<div class="lost signed-out" role="alert" hidden><p><strong>Your session has ended.</strong> Nothing was decided here; the case goes back to the queue.</p>
<a class="button" href="/sign-in">Sign in again</a></div>
</div>`
}

/** For somebody who only looks: who holds it, or the way to hold it. */
function waiting({ found, csrf, kind, at }: Bar): Html {
  const take = takeForm(
    { found, csrf, kind },
    html`<button class="button" type="submit" data-key="t">Take it !${keyCap('t')}</button>`,
  )
  return html`<div class="verdicts" role="group" aria-label="Your decision"><div class="lost"><p>!${whyNotYours(found, at)}</p>
!${found.barred || found.claimed_by ? '' : take}!${nextForm(csrf, { kind })}</div></div>`
}

const takeForm = ({ found, csrf, kind }: Pick<Bar, 'found' | 'csrf' | 'kind'>, button: Html): Html =>
  html`<form method="post" action="${caseUrl(found.key)}/claim">!${csrfField(csrf)}!${kindField(kind)}!${button}</form>`

function whyNotYours({ barred, claimed_by_name, claimed_until }: QueuedCase, at: Date): Html {
  if (barred)
    return html`<strong>Not yours to decide.</strong> You decided about this post before, so its appeal goes to somebody else.`
  if (claimed_until) {
    const minutes = Math.ceil((claimed_until.getTime() - at.getTime()) / 60_000)
    return html`<strong>${claimed_by_name} holds it</strong>, for at most ${counted(minutes, 'minute')} more unless they go on with it.`
  }
  return html`<strong>You are only looking.</strong> To decide it, take it.`
}

/** What was on the screen, so that nobody decides what they have not seen. */
const seenField = ({ version }: QueuedCase): Html => html`<input type="hidden" name="seen" value="${version}">`

type Next = { label?: string; kind?: CaseKind | undefined }

/** The way on, wherever a page ends one. */
export const nextForm = (csrf: string, { label = 'Next case', kind }: Next = {}): Html =>
  html`<form method="post" action="/next">!${csrfField(csrf)}!${kindField(kind)}<button class="button" type="submit" data-key="n">${label} !${keyCap('n')}</button></form>`

const chooserId = ({ id }: VerdictDefinition) => `choose-${id}`
/** In the order of the policy, which stays the same from case to case: hands learn it. */
const categoryKeys = '123456789abcd'

/** One dialog for each answer that names a category. It opens without a script, too. */
function choosers({ found, suspected, csrf, kind }: Bar): Html {
  return verdictsOf(found.kind, found.audited)
    .filter(({ needsCategory }) => needsCategory)
    .map((verdict) => {
      const id = chooserId(verdict)
      return html`<dialog popover id="${id}" class="chooser" aria-labelledby="${id}-title">
<div class="heading"><h2 id="${id}-title">${verdict.label.replace(' …', '')}: which category?</h2><button class="plain" type="button" popovertarget="${id}" popovertargetaction="hide">Close</button></div>
<form method="post" action="${caseUrl(found.key)}/decide">!${csrfField(csrf)}!${kindField(kind)}!${seenField(found)}<input type="hidden" name="verdict" value="${verdict.id}">
<ul class="plain">!${policy.categories.map((category, index) => categoryButton(category, { key: categoryKeys[index] ?? '', suspected, verdict: verdict.id })).join('')}</ul></form></dialog>`
    })
    .join('')
}

type Place = { key: string; suspected: readonly PolicyCategoryId[]; verdict: VerdictId }

function categoryButton(
  { id, title, abusive }: (typeof policy.categories)[number],
  { key, suspected, verdict }: Place,
): Html {
  // What was public was paid for: a removal gives nothing back.
  const mild = verdict === 'remove' ? 'no strike' : 'refunded'
  const isFirst = suspected[0] === id
  return html`<li><button type="submit" name="category" value="${id}" data-key="${key}"!${isFirst ? html` autofocus` : ''}>!${keyCap(key)} <span>${title}!${suspected.includes(id) ? html` <small>suspected</small>` : ''}</span> <small class="!${abusive ? 'bad' : ''}">${abusive ? 'ten-fold and a strike' : mild}</small></button></li>`
}
