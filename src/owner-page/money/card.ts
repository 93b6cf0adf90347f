import { html } from '../../markup/html.ts'
import { csrfField } from '../../page-door/form.ts'
import { readStoredCard, removeCard, startCardSetup } from '../../payments/card.ts'
import { showPage } from '../layout.ts'
import { nothingHere } from '../note-page.ts'
import { defineRoute } from '../route.ts'
import { cardName } from './card-name.ts'
import { lookAgain } from './look-again.ts'
import { withProvider } from './provider-fault.ts'

/** Leads to the provider's page where a card is left. */
const startCard = defineRoute({
  method: 'POST',
  path: '/account/card',
  needs: 'session',
  answer: (asked) => {
    if (asked.payments.driver === 'manual') return nothingHere(asked)
    return withProvider(asked, async () => {
      const { url } = await startCardSetup(asked, { accountId: asked.session.accountId })
      return { seeOther: url }
    })
  },
})

/** Where the provider sends the browser back. The card is there once the provider has told us of it. */
const cardReturn = defineRoute({
  method: 'GET',
  path: '/account/card',
  needs: 'session',
  answer: async (asked) => {
    const card = await readStoredCard(asked.db, asked.session.accountId)
    const refresh = card ? null : lookAgain('/account/card', asked.query)
    const title = card ? 'Your card is on file' : 'Your card is being added'
    const words = card
      ? html`<div class="notice good" role="status"><h2>${cardName(card)}</h2><p>It is charged only by auto-recharge, and only if you turn that on.</p></div>
<div class="buttons"><a class="button" href="/account/money#auto-recharge">Set up auto-recharge</a> <a class="button quiet" href="/account">Go to your account</a></div>`
      : html`<div class="notice" role="status"><h2>One moment</h2><p>The provider tells us about the card within a few seconds, and this page looks again by itself for a minute. If you left without adding one, nothing has changed.</p></div>
<div class="buttons"><a class="button quiet" href="/account/money">Back to money</a></div>`
    return showPage(asked, {
      title,
      section: 'money',
      content: html`<p class="crumbs"><a href="/account/money">Money</a></p><h1>${title}</h1>!${words}`,
      ...(refresh && { refresh }),
    })
  },
})

const askRemoval = defineRoute({
  method: 'GET',
  path: '/account/card/remove',
  needs: 'session',
  answer: async (asked) => {
    const card = await readStoredCard(asked.db, asked.session.accountId)
    if (!card) return { seeOther: '/account/money' }
    return showPage(asked, {
      title: 'Remove the card',
      section: 'money',
      content: html`<p class="crumbs"><a href="/account/money">Money</a></p><h1>Remove ${cardName(card)}?</h1>
<p class="lede">The payment provider forgets it, and auto-recharge is turned off. You can add a card again at any time.</p>
<form class="buttons" method="post" action="/account/card/remove">!${csrfField(asked.csrf)}<button class="button danger" type="submit">Remove the card</button> <a class="button quiet" href="/account/money">Keep it</a></form>`,
    })
  },
})

const remove = defineRoute({
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
