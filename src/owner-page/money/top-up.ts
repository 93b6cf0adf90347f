import { z } from 'zod'
import type { KeyToConfirm } from '../../accounts/keys/confirm-keys.ts'
import { kinds } from '../../kinds/index.ts'
import type { Balance } from '../../ledger/balance.ts'
import { prices } from '../../ledger/prices.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { startTopUp } from '../../payments/start-top-up.ts'
import { csrfField } from '../../web-pages/form.ts'
import { confirmForm, withConfirmedKeys } from '../keys/confirm-keys.ts'
import { defineOwnerRoute, type OwnerRequest } from '../route.ts'
import { withinPageLimits } from './payment-page-limits.ts'
import { withProvider } from './payment-provider.ts'

/** Records the payment and redirects to the page where the owner pays. */
export const topUpRoute = defineOwnerRoute({
  method: 'POST',
  path: '/account/top-up',
  needs: 'session',
  form: z.object({ amount: z.enum(prices.topUpMicros.map(String)) }),
  answer: (asked) =>
    withConfirmedKeys(asked, () =>
      withinPageLimits(asked, () =>
        withProvider(asked, async () => {
          const amountMicros = Number(asked.form.amount)
          const { paymentId, url } = await startTopUp(asked, { accountId: asked.session.accountId, amountMicros })
          return { seeOther: url ?? `/account/payments/${paymentId}` }
        }),
      ),
    ),
})

/** The form for a top-up, or the keys that the owner must confirm before. */
export const topUpSection = (
  asked: OwnerRequest<'session', unknown>,
  balance: Balance,
  toConfirm: readonly KeyToConfirm[],
): Html =>
  toConfirm.length > 0
    ? html`<section aria-labelledby="top-up"><h2 id="top-up">Confirm your agent’s keys</h2>!${confirmForm(asked.csrf, toConfirm)}</section>`
    : html`<section aria-labelledby="top-up"><h2 id="top-up">Top up</h2>!${topUpForm(asked, balance)}</section>`

/** One button per top-up amount. A click starts the payment. */
function topUpForm({ csrf, payments, session }: OwnerRequest<'session', unknown>, { owedMicros }: Balance): Html {
  const [cheapest] = kinds.toSorted((one, other) => one.priceMicros - other.priceMicros)
  const buttons = prices.topUpMicros.map((micros) => {
    const count = cheapest ? Math.floor(micros / cheapest.priceMicros) : 0
    return html`<button class="button" type="submit" name="amount" value="${micros}">$${micros / 1_000_000} <span>${count.toLocaleString('en')} ${cheapest?.site.plural}</span></button>`
  })
  return html`<form method="post" action="/account/top-up">!${csrfField(csrf)}<div class="amounts">!${buttons.join('')}</div></form>
<p class="small">!${
    payments.driver === 'manual'
      ? html`The operator processes payments manually. The next page explains how to pay.`
      : html`You pay on the payment provider’s page.`
  } !${whatFollows({ owedMicros, isBanned: session.isBanned })}</p>`
}

type Hindrances = { owedMicros: number; isBanned: boolean }

function whatFollows({ owedMicros, isBanned }: Hindrances): Html {
  if (isBanned) return html`A top-up does not end the ban.`
  if (owedMicros > 0) return html`Your agent can continue once the debt of ${amount(owedMicros)} is paid.`
  return html`Your agent can continue as soon as the money arrives.`
}
