import { nextStrikeBans, strikesToBan } from '../../accounts/strikes.ts'
import type { CaseKind, VerdictDefinition, VerdictId } from '../../cases/case-kinds.ts'
import type { QueuedCase } from '../../cases/queue.ts'
import type { CaseView } from '../../cases/read-case.ts'
import { type Html, html } from '../../markup/html.ts'
import { type PolicyCategoryId, policy } from '../../policy/policy.ts'
import { csrfField } from '../../web-pages/form.ts'
import { caseUrl, kindField } from './address.ts'
import { counted, keyCap } from './labels.ts'

type Bar = {
  found: QueuedCase
  /** The words that fit this case. */
  verdicts: readonly VerdictDefinition[]
  suspected: readonly PolicyCategoryId[]
  author: Pick<CaseView['author'], 'strikes' | 'standing'>
  csrf: string
  /** The kind of case the reviewer filters by. */
  kind: CaseKind | undefined
  at: Date
}

/** The sticky action bar: verdicts for the reviewer who holds the case, a claim button for others. */
export const verdictBar = (bar: Bar): Html => (bar.found.mine ? html`!${deciding(bar)}!${choosers(bar)}` : waiting(bar))

/** Red only for what can cost the author 10× the fee and a strike. */
const tones: Record<VerdictId, 'good' | 'bad' | 'neutral'> = {
  publish: 'good',
  reject: 'bad',
  low_quality: 'neutral',
  keep: 'good',
  remove: 'bad',
  uphold: 'good',
  dismiss: 'neutral',
  confirm: 'neutral',
  overturn: 'good',
}

/**
 * The page renews its claim at `data-renew`. If that fails, the `lost` block replaces the buttons, or the `signed-out`
 * block if the session has ended.
 */
function deciding({ found, verdicts, csrf, kind }: Bar): Html {
  const url = caseUrl(found.key)
  const buttons = verdicts.map((verdict) => {
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
<div class="lost" role="alert" hidden><p><strong>You no longer hold this case.</strong> Your claim expired, or someone released it.</p>
!${takeForm({ found, csrf, kind }, html`<button class="button quiet" type="submit" data-key="t">Take it again !${keyCap('t')}</button>`)}
!${nextForm(csrf, { kind })}</div>
<div class="lost signed-out" role="alert" hidden><p><strong>Your session has ended.</strong> No decision was saved, and the case returns to the queue.</p>
<a class="button" href="/sign-in">Sign in again</a></div>
</div>`
}

/** For viewers who do not hold the case: who holds it, or a button to claim it. */
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
    return html`<strong>You cannot decide this appeal.</strong> You have already decided on this post, so someone else must decide its appeal.`
  if (claimed_until) {
    const minutes = Math.ceil((claimed_until.getTime() - at.getTime()) / 60_000)
    return html`<strong>${claimed_by_name} holds this case</strong> for at most ${counted(minutes, 'more minute')}, or longer if they keep working on it.`
  }
  return html`<strong>You have not taken this case.</strong> Take it to decide it.`
}

/** The version on the screen, so that reviewers decide only on content that they have seen. */
const seenField = ({ version }: QueuedCase): Html => html`<input type="hidden" name="seen" value="${version}">`

type Next = { label?: string; kind?: CaseKind | undefined }

/** The button that claims and opens the next case. */
export const nextForm = (csrf: string, { label = 'Next case', kind }: Next = {}): Html =>
  html`<form method="post" action="/next">!${csrfField(csrf)}!${kindField(kind)}<button class="button" type="submit" data-key="n">${label} !${keyCap('n')}</button></form>`

const chooserId = ({ id }: VerdictDefinition) => `choose-${id}`
/** In policy order, which is the same for every case, so that reviewers learn the keys. */
const categoryKeys = '123456789abcd'

/** One dialog for each verdict that needs a category. It also opens without JavaScript. */
function choosers({ found, verdicts, suspected, author, csrf, kind }: Bar): Html {
  const bans = nextStrikeBans(author)
  const warning = bans
    ? html`<p class="warning">Strike ${author.strikes + 1} of ${strikesToBan}: an abusive category bans the account.</p>`
    : ''
  return verdicts
    .filter(({ needsCategory }) => needsCategory)
    .map((verdict) => {
      const id = chooserId(verdict)
      return html`<dialog popover id="${id}" class="chooser" aria-labelledby="${id}-title">
<div class="heading"><h2 id="${id}-title">${verdict.label.replace(' …', '')}: which category?</h2><button class="plain" type="button" popovertarget="${id}" popovertargetaction="hide">Close</button></div>!${warning}
<form method="post" action="${caseUrl(found.key)}/decide">!${csrfField(csrf)}!${kindField(kind)}!${seenField(found)}<input type="hidden" name="verdict" value="${verdict.id}">
<ul class="plain">!${policy.categories.map((category, index) => categoryButton(category, { key: categoryKeys[index] ?? '', suspected, verdict: verdict.id, bans })).join('')}</ul></form></dialog>`
    })
    .join('')
}

type Place = { key: string; suspected: readonly PolicyCategoryId[]; verdict: VerdictId; bans: boolean }

function categoryButton(
  { id, title, abusive }: (typeof policy.categories)[number],
  { key, suspected, verdict, bans }: Place,
): Html {
  // The author paid for the time it was public, so a removal refunds nothing.
  const mild = verdict === 'remove' ? 'no strike' : 'refunded'
  const isFirst = suspected[0] === id
  return html`<li><button type="submit" name="category" value="${id}" data-key="${key}"!${isFirst ? html` autofocus` : ''}>!${keyCap(key)} <span>${title}!${suspected.includes(id) ? html` <small>suspected</small>` : ''}</span> <small class="!${abusive ? 'bad' : ''}">${abusive ? `10× fee + strike${bans ? ' + ban' : ''}` : mild}</small></button></li>`
}
