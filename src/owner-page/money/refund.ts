import { z } from 'zod'
import { readBalance } from '../../ledger/balance.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { askForRefund, refundableMicros } from '../../payments/refunds/refund-balance.ts'
import type { Database } from '../../platform/database/database.ts'
import { csrfField } from '../../web-pages/form.ts'
import { showOwnerPage } from '../layout.ts'
import { defineOwnerRoute, type OwnerRequest } from '../route.ts'

const crumbs = html`<p class="crumbs"><a href="/account/money">Money</a></p>`

const askRefund = defineOwnerRoute({
  method: 'GET',
  path: '/account/refund',
  needs: 'session',
  answer: (asked) => showRefund(asked),
})

async function showRefund(asked: OwnerRequest<'session', unknown>, isChanged = false) {
  const { db, session } = asked
  const micros = await refundableMicros(db, session.accountId)
  const { prepaidMicros } = await readBalance(db, session.accountId)
  const title = micros > 0 ? `Refund ${amount(micros)}?` : 'No refundable balance'
  return showOwnerPage(asked, {
    title,
    section: 'money',
    status: isChanged ? 409 : 200,
    content: html`!${crumbs}<h1>${title}</h1>!${isChanged ? changed : ''}!${micros > 0 ? question(asked, micros, prepaidMicros - micros) : nothing(prepaidMicros)}`,
  })
}

const changed = html`<p class="notice warn" role="alert">Your balance has changed since you opened the page. This request refunded nothing.</p>`

/** Explains the rule in refund-balance.ts to the owner. */
const whatStays = html`made up of unused credits from us, fractions of a cent, and amounts that are owed or disputed. Charges use our credits first, oldest first.`

type Way = { goes: string; takes: string; ends: string }

const byHand: Way = { goes: 'to your original payment method', takes: 'The operator sends it manually', ends: '' }
const byCard: Way = {
  goes: 'to the cards that paid it, newest payment first',
  takes: 'Usually 5 to 10 days',
  ends: ' Auto-recharge is turned off as well.',
}

function question({ csrf, payments }: OwnerRequest<'session', unknown>, micros: number, staysMicros: number): Html {
  const { goes, takes, ends } = payments.driver === 'manual' ? byHand : byCard
  return html`<dl class="facts">
<div><dt>Refund</dt><dd>${amount(micros)}, ${goes}</dd></div>
<div><dt>Remaining balance</dt><dd>${amount(staysMicros)}!${staysMicros > 0 ? html`: !${whatStays}` : ''}</dd></div>
<div><dt>Time</dt><dd>${takes}</dd></div>
</dl>
<div class="notice warn"><h2>This cannot be undone</h2><p>The money leaves your balance immediately, and your agent can no longer spend it.${ends}</p></div>
<form class="buttons" method="post" action="/account/refund">!${csrfField(csrf)}<button class="button danger" type="submit" name="amount_micros" value="${micros}">Refund ${amount(micros)}</button> <a class="button quiet" href="/account/money">Keep the balance</a></form>`
}

const nothing = (prepaidMicros: number): Html =>
  html`<p class="lede">!${
    prepaidMicros > 0 ? html`The balance of ${amount(prepaidMicros)} is !${whatStays}` : html`The balance is empty.`
  }</p><div class="buttons"><a class="button" href="/account/money">Back to money</a></div>`

const refund = defineOwnerRoute({
  method: 'POST',
  path: '/account/refund',
  needs: 'session',
  form: z.object({ amount_micros: z.coerce.number().int().positive() }),
  answer: async (asked) => {
    const { db, clock, session, form } = asked
    const refunded = { accountId: session.accountId, amountMicros: form.amount_micros, at: clock.now() }
    const isRefunded = await askForRefund(db, refunded)
    // After a second click on the same button nothing is left.
    if (!isRefunded && (await refundableMicros(db, session.accountId)) > 0) return showRefund(asked, true)
    return { seeOther: '/account/money#payments' }
  },
})

export const refundRoutes = [askRefund, refund]

/** The amounts of requested refunds that have not completed yet, by payment. */
export async function readReturning(db: Database, accountId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('payment_refunds')
    .innerJoin('payments', 'payments.id', 'payment_refunds.payment_id')
    .select((row) => ['payment_id', row.fn.sum<number>('payment_refunds.amount_micros').as('micros')])
    .where('payments.account_id', '=', accountId)
    .where('payment_refunds.status', 'in', ['asked', 'sent'])
    .groupBy('payment_id')
    .execute()
  return new Map(rows.map(({ payment_id, micros }) => [payment_id, Number(micros)]))
}
