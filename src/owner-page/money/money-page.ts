import { listKeysToConfirm } from '../../accounts/keys/confirm-keys.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { readStoredCard, type StoredCard } from '../../payments/card.ts'
import { listPayments } from '../../payments/read-payments.ts'
import { refundableMicros } from '../../payments/refunds/refund-balance.ts'
import { badge } from '../../web-pages/elements.ts'
import { csrfField } from '../../web-pages/form.ts'
import { showOwnerPage } from '../layout.ts'
import { firstPage, pageLinks, rowsPerPage } from '../pagination.ts'
import { readId } from '../read-id.ts'
import type { OwnerRequest, Shown } from '../route.ts'
import { autoRechargeForm, type Recharging } from './auto-recharge-form.ts'
import { cardName } from './card.ts'
import { paymentsTable } from './payments-table.ts'
import { readReturning } from './refund.ts'

type Unfit = { faults?: Record<string, string>; chosen?: Record<string, string> }

/** The account's card, payments and refunds, with the form errors after an invalid submission. */
export async function showMoney(asked: OwnerRequest<'session', unknown>, unfit: Unfit = {}): Promise<Shown> {
  const { db, session, query, csrf, payments } = asked
  const { accountId } = session
  const before = readId('pay', query['before'])
  const toConfirm = await listKeysToConfirm(db, accountId)
  const card = await readStoredCard(db, accountId)
  const refundable = await refundableMicros(db, accountId)
  const found = await listPayments(db, { accountId, limit: rowsPerPage + 1, ...(before && { before }) })
  const { rows, next } = firstPage(found, ({ id }) => id)
  const cards =
    payments.driver === 'manual'
      ? html`<section class="card" aria-labelledby="card"><h2 id="card">Card</h2><p class="soft">The operator processes payments manually, so there is no card and no auto-recharge.</p></section>`
      : html`!${cardSection(card, { csrf, mayAdd: toConfirm.length === 0 })}!${rechargeSection({ ...unfit, csrf, now: await readRecharging(asked), hasCard: card !== null })}`
  return showOwnerPage(asked, {
    title: 'Money',
    section: 'money',
    ...(unfit.faults && { status: 422 }),
    content: html`<div class="heading"><h1>Money</h1><a class="button quiet" href="/account#top-up">Top up</a></div>
<div class="grid uneven">!${cards}</div>
<section aria-labelledby="payments"><div class="heading"><h2 id="payments">Payments and receipts</h2><p><a href="/account/charges">All transactions</a> · <a href="/account/charges.csv" download>Download as CSV</a></p></div>
!${paymentsTable(rows, await readReturning(db, accountId))}!${pageLinks('/account/money', { before, next })}</section>
!${refundSection(refundable, payments.driver === 'manual')}`,
  })
}

async function readRecharging({ db, session }: OwnerRequest<'session', unknown>): Promise<Recharging> {
  const row = await db
    .selectFrom('accounts')
    .select(['auto_recharge_enabled', 'auto_recharge_threshold_micros', 'auto_recharge_amount_micros'])
    .select('auto_recharge_daily_cap_micros')
    .where('id', '=', session.accountId)
    .executeTakeFirstOrThrow()
  return {
    enabled: row.auto_recharge_enabled,
    thresholdMicros: row.auto_recharge_threshold_micros,
    amountMicros: row.auto_recharge_amount_micros,
    dailyCapMicros: row.auto_recharge_daily_cap_micros,
  }
}

const cardSection = (card: StoredCard | null, { csrf, mayAdd }: { csrf: string; mayAdd: boolean }): Html =>
  html`<section class="card" aria-labelledby="card"><h2 id="card">Card</h2>
!${
    card
      ? html`<p class="card-name">${cardName(card)}<span class="under">Expires ${card.expires.slice(5)}/${card.expires.slice(0, 4)}</span></p>`
      : html`<p class="soft">None on file. Only auto-recharge needs a card on file. A top-up asks for a card each time.</p>`
  }
!${
    mayAdd
      ? html`<form class="buttons" method="post" action="/account/card">!${csrfField(csrf)}<button class="button quiet" type="submit">!${card ? html`Replace the card` : html`Add a card`}</button>!${card ? removal : ''}</form>`
      : html`<p class="soft">Confirm your agent’s keys first, then you can add a card.</p>!${card ? html`<div class="buttons">!${removal}</div>` : ''}`
  }
<p class="small after">Only the payment provider stores the card number. We never see it.</p></section>`

const removal = html`<a class="button quiet danger" href="/account/card/remove">Remove</a>`

type RechargeSection = Unfit & { csrf: string; now: Recharging; hasCard: boolean }

function rechargeSection({ csrf, now, hasCard, faults = {}, chosen = {} }: RechargeSection): Html {
  return html`<section class="card" aria-labelledby="auto-recharge"><h2 id="auto-recharge">Auto-recharge !${now.enabled ? badge('on', 'good') : badge('off', null)}</h2>
!${
    hasCard
      ? autoRechargeForm({ csrf, now, faults, chosen })
      : html`<p class="soft">When the balance runs low, auto-recharge charges the card on file, so that your agent can continue. Add a card first.</p>!${faults['enabled'] ? html`<p class="error">It ${faults['enabled']}.</p>` : ''}`
  }</section>`
}

const refundSection = (micros: number, isByHand: boolean): Html =>
  html`<section aria-labelledby="refund"><h2 id="refund">Unused balance</h2>
!${
    micros > 0
      ? html`<p>${amount(micros)} can be refunded ${isByHand ? 'to your original payment method' : 'to the card that paid it'}.</p><p><a class="button quiet" href="/account/refund">Request a refund</a></p>`
      : html`<p class="soft">No refundable balance.</p>`
  }</section>`
