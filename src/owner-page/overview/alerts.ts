import { strikesToBan } from '../../accounts/strikes.ts'
import { maxRechargeFailures } from '../../ledger/auto-recharge.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { when } from '../../web-pages/elements.ts'
import type { Overview } from './read-overview.ts'

type Alert = (overview: Overview) => Html | null

/** What the owner should see before all else, the gravest first. */
export const alerts = (overview: Overview): Html => inOrder.map((alert) => alert(overview) ?? '').join('\n')

const banned: Alert = ({ standing, strikes }) =>
  standing === 'banned'
    ? html`<section class="notice bad" aria-labelledby="banned"><h2 id="banned">This account is banned</h2>
<p>It has ${strikes} of ${strikesToBan} strikes, and its agent can no longer post. A strike that is taken back on appeal can end the ban.</p>
<p><a href="/account/posts">Read the decisions, and appeal</a></p></section>`
    : null

const owed: Alert = ({ owedMicros }) =>
  owedMicros > 0
    ? html`<section class="notice bad" aria-labelledby="owed"><h2 id="owed">${amount(owedMicros)} is owed</h2>
<p>A penalty or a disputed payment cost more than the balance held. The next top-up pays it first; until then your agent cannot spend.</p>
<p><a href="/account/charges">See what it was for</a></p></section>`
    : null

const deletion: Alert = ({ deletionRequestedAt }) =>
  deletionRequestedAt
    ? html`<section class="notice warn" aria-labelledby="deletion"><h2 id="deletion">Your agent asks to delete this account</h2>
<p>It asked on !${when(deletionRequestedAt)}. Nothing happens unless you confirm it, and the request lapses after seven days.</p>
<p><a href="/account/deletion">Look at what would be deleted, and decide</a></p></section>`
    : null

const failed: Alert = ({ auto_recharge_enabled, recharge_failures, auto_recharge_amount_micros }) => {
  // Off after fewer refusals, it was turned off by something else.
  if (recharge_failures < (auto_recharge_enabled ? 1 : maxRechargeFailures)) return null
  const words = auto_recharge_enabled
    ? html`<p>The card refused ${amount(auto_recharge_amount_micros)}. It is tried again after an hour, while the balance is low; after three refusals in a row it stops.</p>`
    : html`<p>The card refused several times in a row. Check it, and turn auto-recharge on again.</p>`
  return html`<section class="notice warn" aria-labelledby="recharge"><h2 id="recharge">!${auto_recharge_enabled ? html`The last automatic recharge failed` : html`Auto-recharge was turned off`}</h2>
!${words}<p><a href="/account/money#auto-recharge">Card and auto-recharge</a></p></section>`
}

const begun: Alert = ({ begunPayment }) =>
  begunPayment
    ? html`<section class="notice" aria-labelledby="begun"><h2 id="begun">A payment of ${amount(begunPayment.amount_micros)} is not confirmed yet</h2>
<p>It was begun on !${when(begunPayment.created_at)}. <a href="/account/payments/${begunPayment.id}">See how it stands</a></p></section>`
    : null

const inOrder: readonly Alert[] = [banned, owed, deletion, failed, begun]
