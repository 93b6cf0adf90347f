import type { PaymentStatus } from '../../../generated/database-types.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import type { PaymentRecord } from '../../payments/read-payments.ts'
import { badge, type Tone, when } from '../../web-pages/elements.ts'

/** `returning` contains the amount that is being refunded, by payment. */
export function paymentsTable(payments: readonly PaymentRecord[], returning: ReadonlyMap<string, number>): Html {
  if (payments.length === 0)
    return html`<div class="empty"><p>No payments yet</p><p>Your payments and receipts appear here.</p></div>`
  return html`<table class="cards led">
<thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Status</th><th scope="col">Receipt</th><th scope="col" class="amount">Amount</th></tr></thead>
<tbody>!${payments.map((payment) => row(payment, returning.get(payment.id) ?? 0)).join('\n')}</tbody></table>`
}

function row(payment: PaymentRecord, returningMicros: number): Html {
  const { id, created_at, status, failure, amount_micros, refunded_micros, disputed_micros } = payment
  const returnedMicros = refunded_micros - returningMicros
  const under = [
    ...(status === 'failed' ? [failureWords(failure)] : []),
    ...(returnedMicros > 0 ? [`${amount(returnedMicros)} refunded`] : []),
    ...(returningMicros > 0 ? [`${amount(returningMicros)} being refunded`] : []),
    ...(disputed_micros > 0 ? [`${amount(disputed_micros)} disputed`] : []),
  ].map((note) => html`<span class="under">${note}</span>`)
  const link =
    status === 'paid'
      ? html`<a href="/account/receipts/${id}">Receipt<span class="unseen"> for ${amount(amount_micros)}</span></a>`
      : html`<a href="/account/payments/${id}">Details<span class="unseen"> of the payment of ${amount(amount_micros)}</span></a>`
  return html`<tr>
<td class="when" data-label="When">!${when(created_at)}</td>
<td class="lead" data-label="What">${causeWords(payment)}</td>
<td data-label="Status"><div>!${paymentBadge(payment)} !${under.join('')}</div></td>
<td data-label="Receipt"><div>!${link}</div></td>
<td class="amount" data-label="Amount"><span>${amount(amount_micros)}</span></td>
</tr>`
}

const badges: Record<PaymentStatus, { label: string; tone: Tone }> = {
  started: { label: 'not finished', tone: 'warn' },
  paid: { label: 'paid', tone: 'good' },
  failed: { label: 'failed', tone: 'bad' },
  cancelled: { label: 'cancelled', tone: null },
}

export const paymentBadge = ({ status }: Pick<PaymentRecord, 'status'>): Html =>
  badge(badges[status].label, badges[status].tone)

export const causeWords = ({ cause }: Pick<PaymentRecord, 'cause'>): string =>
  cause === 'recharge' ? 'Automatic recharge' : 'Top-up'

/** The payment method. A payment does not record which card was used. */
export const methodWords = ({ provider }: Pick<PaymentRecord, 'provider'>): string =>
  provider === 'manual' ? 'Directly to the operator' : 'Card, through Stripe'

/** Why a card payment failed, and what to do. */
export const failureWords = (failure: string | null): string => failures[failure ?? ''] ?? String(failures['other'])

const failures: Record<string, string> = {
  card_declined: 'The card was declined. Ask your bank why, or try another card.',
  insufficient_funds: 'The card has insufficient funds. Try another card.',
  expired_card: 'The card has expired. Use another card.',
  authentication_required:
    'Your bank requires you to confirm the payment. Top up once yourself and follow the bank’s steps.',
  other: 'The payment failed. Try again, or use another card.',
}
