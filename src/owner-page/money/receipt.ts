import { html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { readOwnPayment } from '../../payments/read-payments.ts'
import { when } from '../../web-pages/elements.ts'
import { nothingHere, showOwnerPage } from '../layout.ts'
import { readId } from '../read-id.ts'
import { defineOwnerRoute } from '../route.ts'
import { causeWords, methodWords } from './payments-table.ts'
import { readReturning } from './refund.ts'

/** A printable receipt for one settled payment. */
export const receipt = defineOwnerRoute({
  method: 'GET',
  path: '/account/receipts/:id',
  needs: 'session',
  answer: async (asked) => {
    const { db, session, params, operator } = asked
    const paymentId = readId('pay', params['id'])
    const found = paymentId ? await readOwnPayment(db, { accountId: session.accountId, paymentId }) : undefined
    if (found?.status !== 'paid' || !found.settled_at) return nothingHere(asked)
    const returning = (await readReturning(db, session.accountId)).get(found.id) ?? 0
    const returned = found.refunded_micros - returning
    const back = found.refunded_micros + found.disputed_micros
    return showOwnerPage(asked, {
      title: `Receipt ${found.id}`,
      section: 'money',
      content: html`<p class="crumbs unprinted"><a href="/account/money">Money</a></p>
<article class="receipt"><h1>Receipt</h1>
<dl class="facts">
<div><dt>Number</dt><dd><code>${found.id}</code></dd></div>
<div><dt>Paid</dt><dd>!${when(found.settled_at)}</dd></div>
<div><dt>From</dt><dd>${operator.name}</dd></div>
<div><dt>Account</dt><dd><code>${session.accountId}</code></dd></div>
<div><dt>Payment method</dt><dd>${methodWords(found)}</dd></div>
</dl>
<table><thead><tr><th scope="col">Description</th><th scope="col" class="amount">US dollars</th></tr></thead><tbody>
<tr><td>${causeWords(found)}: prepaid balance at Broadside</td><td class="amount">${amount(found.amount_micros)}</td></tr>
!${returned > 0 ? html`<tr><td>Refunded</td><td class="amount">${amount(-returned)}</td></tr>` : ''}
!${returning > 0 ? html`<tr><td>Being refunded</td><td class="amount">${amount(-returning)}</td></tr>` : ''}
!${found.disputed_micros > 0 ? html`<tr><td>Disputed</td><td class="amount">${amount(-found.disputed_micros)}</td></tr>` : ''}
<tr class="total"><th scope="row">Total paid</th><td class="amount">${amount(found.amount_micros - back)}</td></tr>
</tbody></table>
<p class="small after">If you have questions about this receipt, write to <a href="mailto:${operator.email}">${operator.email}</a>.</p></article>
<p class="small after unprinted">The printed page shows only the receipt.</p>`,
    })
  },
})
