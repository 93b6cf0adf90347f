import { html } from '../../markup/html.ts'
import { readStoredCard, removeCard, type StoredCard, startCardSetup } from '../../payments/card.ts'
import { csrfField } from '../../web-pages/form.ts'
import { withConfirmedKeys } from '../keys/confirm-keys.ts'
import { nothingHere, showOwnerPage } from '../layout.ts'
import { defineOwnerRoute } from '../route.ts'
import { withinPageLimits } from './payment-page-limits.ts'
import { lookAgain, withProvider } from './payment-provider.ts'

/** Redirects to the provider's page for adding a card. */
const startCard = defineOwnerRoute({
  method: 'POST',
  path: '/account/card',
  needs: 'session',
  answer: (asked) =>
    withConfirmedKeys(asked, () => {
      if (asked.payments.driver === 'manual') return nothingHere(asked)
      return withinPageLimits(asked, () =>
        withProvider(asked, async () => {
          const { url } = await startCardSetup(asked, { accountId: asked.session.accountId })
          return { seeOther: url }
        }),
      )
    }),
})

/** The provider redirects the browser here. The card appears once the provider's webhook has arrived. */
const cardReturn = defineOwnerRoute({
  method: 'GET',
  path: '/account/card',
  needs: 'session',
  answer: async (asked) => {
    const card = await readStoredCard(asked.db, asked.session.accountId)
    const refresh = card ? null : lookAgain('/account/card', asked.query)
    const title = card ? 'Your card is on file' : 'Your card is being added'
    const words = card
      ? html`<div class="notice good" role="status"><h2>${cardName(card)}</h2><p>We charge it only for auto-recharge, if you turn that on.</p></div>
<div class="buttons"><a class="button" href="/account/money#auto-recharge">Set up auto-recharge</a> <a class="button quiet" href="/account">Go to your account</a></div>`
      : html`<div class="notice" role="status"><h2>One moment</h2><p>The provider confirms the card within a few seconds. This page refreshes automatically for a minute. If you did not add a card, nothing has changed.</p></div>
<div class="buttons"><a class="button quiet" href="/account/money">Back to money</a></div>`
    return showOwnerPage(asked, {
      title,
      section: 'money',
      content: html`<p class="crumbs"><a href="/account/money">Money</a></p><h1>${title}</h1>!${words}`,
      ...(refresh && { refresh }),
    })
  },
})

const askRemoval = defineOwnerRoute({
  method: 'GET',
  path: '/account/card/remove',
  needs: 'session',
  answer: async (asked) => {
    const card = await readStoredCard(asked.db, asked.session.accountId)
    if (!card) return { seeOther: '/account/money' }
    return showOwnerPage(asked, {
      title: 'Remove the card',
      section: 'money',
      content: html`<p class="crumbs"><a href="/account/money">Money</a></p><h1>Remove ${cardName(card)}?</h1>
<p class="lede">The payment provider deletes the card, and we turn off auto-recharge. You can add a card again at any time.</p>
<form class="buttons" method="post" action="/account/card/remove">!${csrfField(asked.csrf)}<button class="button danger" type="submit">Remove the card</button> <a class="button quiet" href="/account/money">Cancel</a></form>`,
    })
  },
})

const remove = defineOwnerRoute({
  method: 'POST',
  path: '/account/card/remove',
  needs: 'session',
  answer: (asked) => {
    const act = async () => {
      await removeCard(asked, { accountId: asked.session.accountId })
      return { seeOther: '/account/money#card' }
    }
    return withProvider(asked, act, { stands: 'Auto-recharge is off. The card may still be on file.' })
  },
})

export const cardRoutes = [startCard, cardReturn, askRemoval, remove]

/** `Visa ending in 4242` */
export function cardName({ brand, last4 }: Pick<StoredCard, 'brand' | 'last4'>): string {
  const name = brands[brand] ?? 'Card'
  return `${name} ending in ${last4}`
}

/** The brands' names by the provider's codes. */
const brands: Record<string, string> = {
  amex: 'American Express',
  cartes_bancaires: 'Cartes Bancaires',
  diners: 'Diners Club',
  discover: 'Discover',
  eftpos_au: 'eftpos',
  jcb: 'JCB',
  mastercard: 'Mastercard',
  unionpay: 'UnionPay',
  visa: 'Visa',
}
