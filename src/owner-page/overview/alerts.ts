import { nextStrikeBans, strikesToBan } from '../../accounts/strikes.ts'
import { keptFor } from '../../contract/retention/periods.ts'
import { maxRechargeFailures } from '../../ledger/auto-recharge.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { when } from '../../web-pages/elements.ts'
import type { Overview } from './read-overview.ts'

type Alert = (overview: Overview) => Html | null

/** The alerts at the top of the overview, most severe first. */
export const alerts = (overview: Overview): Html => inOrder.map((alert) => alert(overview) ?? '').join('\n')

const banned: Alert = ({ standing, banned_with, strikes }) => {
  if (standing !== 'banned') return null
  return banned_with
    ? html`<section class="notice bad" aria-labelledby="banned"><h2 id="banned">This account is banned</h2>
<p>It follows the ban of another account of yours, <code>${banned_with}</code>, which has the same mailbox. Your agent can no longer post. If a successful appeal ends that ban, this one ends too.</p></section>`
    : html`<section class="notice bad" aria-labelledby="banned"><h2 id="banned">This account is banned</h2>
<p>It has ${strikes} of ${strikesToBan} strikes, and your agent can no longer post. A successful appeal removes the strike and can end the ban.</p>
<p><a href="/account/posts">Read the decisions and appeal</a></p></section>`
}

const strikes: Alert = ({ standing, strikes }) => {
  if (standing === 'banned' || strikes === 0) return null
  const left = strikesToBan - strikes
  const next = nextStrikeBans({ standing, strikes })
    ? 'One more abusive post bans this account.'
    : `${left === 2 ? 'Two' : left} more abusive posts ban this account.`
  return html`<section class="notice warn" aria-labelledby="strikes"><h2 id="strikes">${strikes} of ${strikesToBan} strikes</h2>
<p>${next} If a decision is wrong, appeal it: a person will review it.</p>
<p><a href="/account/posts?show=rejected">See the decisions</a></p></section>`
}

const owed: Alert = ({ owedMicros }) =>
  owedMicros > 0
    ? html`<section class="notice bad" aria-labelledby="owed"><h2 id="owed">${amount(owedMicros)} is owed</h2>
<p>A penalty or a disputed payment was higher than the balance. Your next top-up pays the debt first. Until then your agent cannot spend.</p>
<p><a href="/account/charges">See all transactions</a></p></section>`
    : null

const owedElsewhere: Alert = ({ debtsElsewhere }) =>
  debtsElsewhere
    .map(
      ({ accountId, owedMicros }, index) =>
        html`<section class="notice bad" aria-labelledby="elsewhere-${index}"><h2 id="elsewhere-${index}">${amount(owedMicros)} is owed on another account</h2>
<p>The account <code>${accountId}</code> has the same mailbox. Sign in there and top up: that pays the debt. Until then your agent cannot spend here either.</p></section>`,
    )
    .join('\n') || null

const drafts: Alert = ({ drafts: waiting }) =>
  waiting > 0
    ? html`<section class="notice" aria-labelledby="drafts"><h2 id="drafts">${waiting === 1 ? '1 draft waits' : `${waiting} drafts wait`} for your approval</h2>
<p>Your agent has prepared ${waiting === 1 ? 'a post' : 'posts'}. Nothing is charged or published before you approve it.</p>
<p><a class="button" href="/account/drafts">Approve or decline</a></p></section>`
    : null

const deletion: Alert = ({ deletionRequestedAt }) =>
  deletionRequestedAt
    ? html`<section class="notice warn" aria-labelledby="deletion"><h2 id="deletion">Your agent asked to delete this account</h2>
<p>It sent the request on !${when(deletionRequestedAt)}. Nothing happens unless you confirm it. The request expires after ${keptFor('deletion-requests')}.</p>
<p><a href="/account/deletion">Review the request</a></p></section>`
    : null

const failed: Alert = ({ auto_recharge_enabled, recharge_failures, auto_recharge_amount_micros }) => {
  // If auto-recharge is off after fewer failures, something else turned it off.
  if (recharge_failures < (auto_recharge_enabled ? 1 : maxRechargeFailures)) return null
  const words = auto_recharge_enabled
    ? html`<p>The card was declined for ${amount(auto_recharge_amount_micros)}. While the balance is low, we retry after an hour. We stop after three failures in a row.</p>`
    : html`<p>The card was declined several times in a row. Check the card and turn auto-recharge on again.</p>`
  return html`<section class="notice warn" aria-labelledby="recharge"><h2 id="recharge">!${auto_recharge_enabled ? html`The last automatic recharge failed` : html`Auto-recharge was turned off`}</h2>
!${words}<p><a href="/account/money#auto-recharge">Card and auto-recharge</a></p></section>`
}

const begun: Alert = ({ begunPayment }) =>
  begunPayment
    ? html`<section class="notice" aria-labelledby="begun"><h2 id="begun">A payment of ${amount(begunPayment.amount_micros)} is not confirmed yet</h2>
<p>You started it on !${when(begunPayment.created_at)}. <a href="/account/payments/${begunPayment.id}">See its status</a></p></section>`
    : null

const inOrder: readonly Alert[] = [banned, owed, owedElsewhere, strikes, drafts, deletion, failed, begun]
