import type { PaymentStatus } from '../../../generated/database-types.ts'
import { type Balance, readBalance } from '../../ledger/balance.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { type PaymentRecord, readOwnPayment } from '../../payments/read-payments.ts'
import { when } from '../../web-pages/elements.ts'
import { nothingHere, showOwnerPage } from '../layout.ts'
import { readId } from '../read-id.ts'
import { defineOwnerRoute, type OwnerRequest } from '../route.ts'
import { lookAgain } from './payment-provider.ts'
import { failureWords } from './payments-table.ts'

/** The provider redirects the browser here. The page shows the stored payment, because a redirect proves nothing. */
export const payment = defineOwnerRoute({
  method: 'GET',
  path: '/account/payments/:id',
  needs: 'session',
  answer: async (asked) => {
    const { db, session, params, query, payments } = asked
    const paymentId = readId('pay', params['id'])
    const found = paymentId && (await readOwnPayment(db, { accountId: session.accountId, paymentId }))
    if (!found) return nothingHere(asked)
    const isWaiting = found.status === 'started' && found.provider !== 'manual' && payments.driver !== 'manual'
    const refresh = isWaiting ? lookAgain(`/account/payments/${found.id}`, query) : null
    const { title, content } = await views[found.status](found, asked, refresh === null)
    return showOwnerPage(asked, {
      title,
      section: 'money',
      content: html`<p class="crumbs"><a href="/account/money">Money</a></p><h1>${title}</h1>!${content}`,
      ...(refresh && { refresh }),
    })
  },
})

type View = (
  payment: PaymentRecord,
  asked: OwnerRequest<'session', unknown>,
  waitedLong: boolean,
) => Promise<{ title: string; content: Html }> | { title: string; content: Html }

const views: Record<PaymentStatus, View> = {
  paid: async (found, { db, session }) => {
    const balance = await readBalance(db, session.accountId)
    return {
      title: `${amount(found.amount_micros)} has arrived`,
      content: html`!${whatItChanged(balance, session.isBanned)}
!${facts(found)}
<div class="buttons"><a class="button" href="/account">Go to your account</a> <a class="button quiet" href="/account/receipts/${found.id}">Receipt</a></div>`,
    }
  },
  started: (found, { payments }, waitedLong) =>
    payments.driver === 'manual' || found.provider === 'manual'
      ? {
          title: `Pay ${amount(found.amount_micros)}`,
          content: html`<p class="lede">The operator processes payments manually.</p>
<div class="notice"><h2>How to pay</h2><p class="lines">${payments.driver === 'manual' ? payments.instructions : ''}</p></div>
<div class="field"><label for="reference">Reference to include with the payment</label><div class="copy"><input id="reference" value="${found.id}" readonly> <button class="button quiet" type="button" hidden data-copies="reference">Copy</button></div></div>
<p>The operator adds the money to your balance when it arrives. This page then shows the payment as paid.</p>
!${facts(found)}`,
        }
      : {
          title: 'The payment is being confirmed',
          content: html`<div class="notice" role="status"><h2>!${waitedLong ? html`This is taking longer than usual` : html`One moment`}</h2>
<p>!${
            waitedLong
              ? html`If you paid, we add the money as soon as the provider confirms it. If you left without paying, you were not charged.`
              : html`The provider confirms the payment within a few seconds. This page refreshes automatically.`
          }</p>
<p><a href="/account/payments/${found.id}">Refresh</a></p></div>
!${facts(found)}
<p class="small">If you did not pay, <a href="/account#top-up">start again</a>.</p>`,
        },
  failed: (found) => ({
    title: 'The payment failed',
    content: html`<div class="notice bad"><h2>You were not charged</h2><p>${failureWords(found.failure)}</p></div>
!${facts(found)}
<div class="buttons"><a class="button" href="/account#top-up">Try again</a></div>`,
  }),
  cancelled: (found) => ({
    title: 'The payment was cancelled',
    content: html`<p class="lede">You were not charged.</p>
!${facts(found)}
<div class="buttons"><a class="button" href="/account#top-up">Top up again</a></div>`,
  }),
}

/** Says that the agent can continue only if no ban or debt still prevents it. */
function whatItChanged({ prepaidMicros, owedMicros }: Balance, isBanned: boolean): Html {
  if (isBanned)
    return html`<div class="notice warn" role="status"><h2>This account is banned</h2>
<p>The balance is ${amount(prepaidMicros)}, but your agent cannot post while the account is banned. <a href="/account/posts">Read the decisions and appeal</a></p></div>`
  if (owedMicros > 0)
    return html`<div class="notice warn" role="status"><h2>${amount(owedMicros)} is still owed</h2>
<p>The payment reduced your debt. Your agent cannot spend until it is fully paid: <a href="/account#top-up">top up again</a>.</p></div>`
  return html`<div class="notice good" role="status"><h2>Your agent can try again now</h2>
<p>The balance is ${amount(prepaidMicros)}. You are done and can close this page.</p></div>`
}

const facts = ({ id, status, amount_micros, created_at, settled_at }: PaymentRecord): Html =>
  html`<dl class="facts">
<div><dt>Amount</dt><dd>${amount(amount_micros)}</dd></div>
<div><dt>Started</dt><dd>!${when(created_at)}</dd></div>
!${settled_at ? html`<div><dt>${status === 'paid' ? 'Paid' : 'Ended'}</dt><dd>!${when(settled_at)}</dd></div>` : ''}
<div><dt>Payment</dt><dd><code>${id}</code></dd></div>
</dl>`
