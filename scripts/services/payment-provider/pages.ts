import { html } from 'ghtml'
import type { Dispute, Intent, Session } from './objects.ts'
import { styles } from './page-style.ts'
import type { Store } from './store.ts'

const dollars = (cents: number | null) => `$${((cents ?? 0) / 100).toFixed(2)}`

/** The page where a payment is made, or a card left. It works without a script. */
export function checkoutPage(session: Session, wasDeclined: boolean): string {
  if (session.status !== 'open') return endedPage(session)
  return session.mode === 'payment' ? paymentPage(session, wasDeclined) : cardPage(session)
}

const paymentPage = (session: Session, wasDeclined: boolean): string =>
  layout(
    'Pay',
    html`<p class="quiet">Broadside balance</p>
      <h1>${dollars(session.amount_total)}</h1>
      !${wasDeclined ? html`<p class="alarm" role="alert">Your card has been declined. Try another one.</p>` : ''}
      <form method="post">
        <button class="main" name="act" value="pay">Pay ${dollars(session.amount_total)}</button>
        <p class="quiet">A card that works, ending in 4242.</p>
        <button name="act" value="delay">Pay, and tell late</button>
        <p class="quiet">The card is charged at once. Broadside hears of it some seconds later.</p>
        <button name="act" value="decline">Decline</button>
        <p class="quiet">The bank says no. This page stays, and another attempt may be made.</p>
      </form>
      <p><a href="${session.cancel_url}">Cancel and go back</a></p>`,
  )

const cardPage = (session: Session): string =>
  layout(
    'Save a card',
    html`<p class="quiet">For payments when you are away</p>
      <h1>Save a card</h1>
      <form method="post">
        <button class="main" name="card" value="4242">Card that works · 4242</button>
        <p class="quiet">Every later charge goes through.</p>
        <button name="card" value="0341">Card that will be declined · 0341</button>
        <p class="quiet">It can be saved. Each charge of it fails.</p>
        <button name="card" value="3155">Card that asks for its owner · 3155</button>
        <p class="quiet">It can be saved. A charge while its owner is away fails.</p>
      </form>
      <p><a href="${session.cancel_url}">Cancel and go back</a></p>`,
  )

const endedPage = (session: Session): string =>
  session.status === 'complete'
    ? layout('Done', html`<h1>This is done.</h1><p><a href="${session.success_url}">Go back</a></p>`)
    : layout(
        'Too late',
        html`<h1>This page is no longer in use.</h1><p><a href="${session.cancel_url}">Go back</a></p>`,
      )

export const missingPage = (): string => layout('Not found', html`<h1>There is nothing here.</h1>`)

/** What the double has, with the buttons that change it from outside. */
export const overviewPage = (store: Store): string =>
  layout(
    'Overview',
    html`<h1>Payments</h1>
      <form method="post" action="/double/hold" class="row">
        <button>Hold calls</button>
        <button formaction="/double/release">Release calls</button>
        <button formaction="/double/release?reverse=true">Release in reverse</button>
      </form>
      <ul>!${store
        .list('payment_intent')
        .slice(0, 50)
        .map((intent) => paymentItem(store, intent))}</ul>
      <h2>Calls to Broadside</h2>
      <ul>!${store.events.slice(-30).reverse().map(eventItem)}</ul>`,
  )

function paymentItem(store: Store, intent: Intent): string {
  const charge = store.find('charge', intent.latest_charge)
  const disputes = store.list('dispute').filter(({ payment_intent }) => payment_intent === intent.id)
  const refunded = charge && charge.amount_refunded > 0 ? `, ${dollars(charge.amount_refunded)} refunded` : ''
  const canReturn = intent.status === 'succeeded' && !charge?.refunded && disputes.length === 0
  return html`<li>
    <p><strong>${dollars(intent.amount)}</strong> ${intent.status}${refunded} <code>${intent.id}</code></p>
    !${canReturn ? returnButtons(intent) : ''} !${disputes.map(disputeItem)}
  </li>`
}

const returnButtons = ({ id }: Intent): string =>
  html`<form method="post" action="/double/refund?intent=${id}" class="row">
    <button>Refund</button>
    <button formaction="/double/dispute?intent=${id}">Dispute</button>
  </form>`

const disputeItem = ({ id, status }: Dispute): string =>
  status === 'needs_response'
    ? html`<form method="post" action="/double/close-dispute?dispute=${id}&amp;outcome=won" class="row">
        <span>Disputed</span><button>Won</button>
        <button formaction="/double/close-dispute?dispute=${id}&amp;outcome=lost">Lost</button>
      </form>`
    : html`<p class="quiet">Dispute ${status}</p>`

const eventItem = ({ id, type, state, attempts }: Store['events'][number]): string =>
  html`<li>
    <form method="post" action="/double/deliver-again?event=${id}" class="row">
      <span>${type} <span class="quiet">${state}, ${String(attempts)} attempts</span></span>
      <button>Send again</button>
    </form>
  </li>`

const layout = (title: string, main: string): string =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${title} · Test payments</title>
        <style>
          !${styles}
        </style>
      </head>
      <body>
        <header><strong>Test double.</strong> It stands in for the card provider. No money moves.</header>
        <main>!${main}</main>
      </body>
    </html>`
