import { listKeysToConfirm } from '../../accounts/keys/confirm-keys.ts'
import { strikesToBan } from '../../accounts/strikes.ts'
import { maxApiKeysPerAccount, maxWebhooksPerAccount } from '../../contract/limits.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { when } from '../../web-pages/elements.ts'
import { aboutSection } from '../about.ts'
import { chargesTable } from '../charges/charges-table.ts'
import { type ListedCharge, listCharges } from '../charges/list-charges.ts'
import { showOwnerPage } from '../layout.ts'
import { topUpSection } from '../money/top-up.ts'
import { defineOwnerRoute, type OwnerParts } from '../route.ts'
import { alerts } from './alerts.ts'
import { type Overview, readOverview } from './read-overview.ts'
import { readDailyCap, readSpending } from './read-spending.ts'
import { readSpendingBy, spendingSection } from './spending-section.ts'
import { whatItBuys } from './what-it-buys.ts'

const latestCharges = 6

const overview = defineOwnerRoute({
  method: 'GET',
  path: '/account',
  needs: 'session',
  answer: async (asked) => {
    const { db, clock, session, baseUrls, query } = asked
    const { accountId } = session
    const at = clock.now()
    const found = await readOverview(db, accountId, at)
    const toConfirm = await listKeysToConfirm(db, accountId)
    const by = readSpendingBy(query['by'])
    const spending = await readSpending(db, { accountId, by, createdAt: found.created_at, at })
    const charges = await listCharges(db, { accountId, before: null, limit: latestCharges })
    const history = html`!${spendingSection(spending, { by, capMicros: await readDailyCap(db, accountId) })}
!${latest(charges, baseUrls)}`
    return showOwnerPage(asked, {
      title: 'Overview',
      section: 'overview',
      content: html`<h1 class="unseen">Overview</h1>
!${alerts(found)}
!${purse(found)}
!${topUpSection(asked, found, toConfirm)}
!${charges.length > 0 ? history : aboutSection(asked, { policyVersion: found.policy_version, at: found.created_at })}
!${ways(found)}`,
    })
  },
})

const purse = ({ prepaidMicros, owedMicros }: Overview): Html =>
  html`<section class="purse" aria-labelledby="balance"><h2 class="label" id="balance">Balance</h2>
<p class="sum">${amount(prepaidMicros)}</p>
<p class="buys">${whatItBuys({ prepaidMicros, owedMicros })}</p></section>`

const latest = (charges: readonly ListedCharge[], baseUrls: OwnerParts['baseUrls']): Html =>
  html`<section aria-labelledby="latest"><div class="heading"><h2 id="latest">Latest transactions</h2><p><a href="/account/charges">All transactions</a> · <a href="/account/charges.csv" download>Download as CSV</a></p></div>
!${chargesTable(charges, baseUrls)}</section>`

/** Strikes, trust, keys, webhooks and card, with links to their pages. */
const ways = (found: Overview): Html => {
  const { keys, webhooks, strikes, trust, card_on_file, auto_recharge_enabled } = found
  return html`<section aria-labelledby="standing"><h2 id="standing">Account status</h2><dl class="facts">
<div><dt>Strikes</dt><dd>${strikes} of ${strikesToBan} · <a href="/account/posts">Posts and decisions</a></dd></div>
<div><dt>Trust</dt><dd>!${trustWords(trust)}</dd></div>
<div><dt>API keys</dt><dd>${keys} of ${maxApiKeysPerAccount} · <a href="/account/keys">Manage keys</a></dd></div>
<div><dt>Webhooks</dt><dd>${webhooks} of ${maxWebhooksPerAccount} · <a href="/account/webhooks">See webhooks</a></dd></div>
<div><dt>Card</dt><dd>${card_on_file ? 'On file' : 'None on file'}, auto-recharge ${auto_recharge_enabled ? 'on' : 'off'} · <a href="/account/money">Card and payments</a></dd></div>
</dl></section>`
}

const trustWords = ({ level, since, needs }: Overview['trust']): Html =>
  level === 'trusted'
    ? html`Trusted since !${when(since)}: fewer posts need review`
    : html`New. To become trusted, the account needs:
<ul class="needs">!${needs.map((need) => html`<li>${need}</li>`).join('')}</ul>`

export const overviewRoutes = [overview]
