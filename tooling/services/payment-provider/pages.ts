import { html } from 'ghtml'
import type { Dispute, Intent, Session } from './objects.ts'
import type { Store } from './store.ts'

export const styles = `
  :root {
    color-scheme: light dark;
    --paper: light-dark(#eef2f0, #131816);
    --sheet: light-dark(#ffffff, #1c2321);
    --ink: light-dark(#16201c, #e8efec);
    --quiet: light-dark(#55625d, #9fb0a9);
    --edge: light-dark(#cfd9d5, #37433f);
    --act: light-dark(#0b6b4b, #6fd3ac);
    --on-act: light-dark(#ffffff, #0c1713);
    --alarm: light-dark(#a3261b, #ffa79d);
  }
  * { box-sizing: border-box; }
  body { margin: 0; background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif; }
  header { padding: 0.625rem 1.25rem; background: light-dark(#ffe9a8, #4a3a06); color: light-dark(#3a2c00, #ffeab0);
    text-align: center; font-size: 0.9375rem; }
  main { max-width: 30rem; margin: 2rem auto; padding: 1.5rem; border: 1px solid var(--edge); border-radius: 0.75rem;
    background: var(--sheet); overflow-wrap: anywhere; }
  h1 { margin: 0 0 1.25rem; font-size: 2rem; line-height: 1.2; font-variant-numeric: tabular-nums; }
  h2 { margin: 2rem 0 0.75rem; font-size: 1.125rem; }
  p { margin: 0.25rem 0 1rem; }
  a { color: var(--act); }
  button { width: 100%; min-height: 2.75rem; padding: 0.5rem 1rem; border: 1px solid var(--edge); border-radius: 0.5rem;
    background: var(--sheet); color: var(--ink); font: inherit; cursor: pointer; }
  button:hover { border-color: var(--act); }
  button.main { border-color: var(--act); background: var(--act); color: var(--on-act); font-weight: 600; }
  :focus-visible { outline: 2px solid var(--act); outline-offset: 2px; }
  .quiet { color: var(--quiet); font-size: 0.9375rem; }
  .alarm { padding: 0.75rem 1rem; border: 1px solid var(--alarm); border-radius: 0.5rem; color: var(--alarm); }
  ul { margin: 1rem 0 0; padding: 0; list-style: none; }
  li { padding: 0.75rem 0; border-top: 1px solid var(--edge); }
  li p { margin: 0 0 0.5rem; }
  .row { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem; }
  .row > span { flex: 1 1 12rem; }
  .row button { width: auto; min-height: 2.25rem; padding: 0.25rem 0.75rem; font-size: 0.875rem; }
  code { font-size: 0.8125rem; color: var(--quiet); }
  @media (max-width: 34rem) { main { margin: 0; border-width: 0 0 1px; border-radius: 0; } }
`

const dollars = (cents: number | null) => `$${((cents ?? 0) / 100).toFixed(2)}`

/** The page for a payment or for saving a card. It works without JavaScript. */
export function checkoutPage(session: Session, wasDeclined: boolean): string {
  if (session.status !== 'open') return endedPage(session)
  return session.mode === 'payment' ? paymentPage(session, wasDeclined) : cardPage(session)
}

const paymentPage = (session: Session, wasDeclined: boolean): string =>
  layout(
    'Pay',
    html`<p class="quiet">Broadside balance</p>
      <h1>${dollars(session.amount_total)}</h1>
      !${wasDeclined ? html`<p class="alarm" role="alert">Your card was declined. Try another one.</p>` : ''}
      <form method="post">
        <button class="main" name="act" value="pay">Pay ${dollars(session.amount_total)}</button>
        <p class="quiet">A working card, ending in 4242.</p>
        <button name="act" value="delay">Pay, report late</button>
        <p class="quiet">Charges the card immediately. Broadside receives the event some seconds later.</p>
        <button name="act" value="decline">Decline</button>
        <p class="quiet">The bank declines. This page stays open for another attempt.</p>
      </form>
      <p><a href="${session.cancel_url}">Cancel and go back</a></p>`,
  )

const cardPage = (session: Session): string =>
  layout(
    'Save a card',
    html`<p class="quiet">For automatic payments</p>
      <h1>Save a card</h1>
      <form method="post">
        <button class="main" name="card" value="4242">Working card · 4242</button>
        <p class="quiet">Every later charge succeeds.</p>
        <button name="card" value="0341">Card that declines later · 0341</button>
        <p class="quiet">Can be saved. Every charge fails.</p>
        <button name="card" value="3155">Card that needs authentication · 3155</button>
        <p class="quiet">Can be saved. Charges without the cardholder fail.</p>
      </form>
      <p><a href="${session.cancel_url}">Cancel and go back</a></p>`,
  )

const endedPage = (session: Session): string =>
  session.status === 'complete'
    ? layout('Done', html`<h1>Done.</h1><p><a href="${session.success_url}">Go back</a></p>`)
    : layout('Expired', html`<h1>This page has expired.</h1><p><a href="${session.cancel_url}">Go back</a></p>`)

export const missingPage = (): string => layout('Not found', html`<h1>Page not found.</h1>`)

/** All objects of the double, with buttons that change them. */
export const overviewPage = (store: Store): string =>
  layout(
    'Overview',
    html`<h1>Payments</h1>
      <form method="post" action="/double/hold" class="row">
        <button>Hold webhooks</button>
        <button formaction="/double/release">Release webhooks</button>
        <button formaction="/double/release?reverse=true">Release in reverse</button>
      </form>
      <ul>!${store
        .list('payment_intent')
        .slice(0, 50)
        .map((intent) => paymentItem(store, intent))}</ul>
      <h2>Webhooks to Broadside</h2>
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
        <header><strong>Test double.</strong> It replaces the payment provider. No money moves.</header>
        <main>!${main}</main>
      </body>
    </html>`
