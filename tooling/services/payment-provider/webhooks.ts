import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { newName, shown, type Thing } from './objects.ts'
import type { Outgoing, Store } from './store.ts'

/** What an endpoint at Stripe must be subscribed to; `docs/runbooks/payments.md` has the same list. */
export const subscribedEvents = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'payment_intent.canceled',
  'charge.refunded',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.closed',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'setup_intent.succeeded',
  'payment_method.detached',
  'payment_method.automatically_updated',
]

type Options = {
  store: Store
  secret: string
  eventsUrl: string | undefined
  now: () => Date
  /** After how long a delivery that failed is tried again, each time. */
  retryDelaysMs?: readonly number[]
}

export type Webhooks = ReturnType<typeof openWebhooks>

/** Stripe's calls: signed, tried again when they fail, and in any order that a test asks for. */
export function openWebhooks({
  store,
  secret,
  now,
  retryDelaysMs = [100, 500, 2_000, 10_000, 30_000],
  ...given
}: Options) {
  const closing = new AbortController()
  const running = new Set<Promise<void>>()
  let [eventsUrl, isHolding] = [given.eventsUrl, false]

  const start = async (event: Outgoing): Promise<void> => {
    // Stripe, too, tells nobody where no endpoint was registered.
    event.state = eventsUrl ? 'waiting' : 'dropped'
    if (!eventsUrl) return
    const run = deliver(event).finally(() => running.delete(run))
    running.add(run)
    await run
  }
  const deliver = async (event: Outgoing) => {
    for (const delay of [...retryDelaysMs, null]) {
      if (closing.signal.aborted) return
      event.attempts += 1
      event.status = eventsUrl ? await post(eventsUrl, event.body) : null
      const isTaken = event.status !== null && event.status >= 200 && event.status < 300
      if (isTaken || delay === null) event.state = isTaken ? 'delivered' : 'given_up'
      store.save()
      if (event.state !== 'waiting' || delay === null) return
      await sleep(delay, undefined, { signal: closing.signal }).catch(() => {})
    }
  }
  const post = async (url: string, body: string): Promise<number | null> => {
    const headers = { 'content-type': 'application/json; charset=utf-8', 'stripe-signature': sign(body, secret) }
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(10_000)])
    try {
      const response = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' })
      await response.body?.cancel()
      return response.status
    } catch {
      return null
    }
  }
  const held = (of = '') => store.events.filter(({ state, body }) => state === 'held' && body.includes(of))
  // Nobody is left to release what was held when the double was stopped.
  for (const event of store.events) if (['waiting', 'held'].includes(event.state)) start(event)

  return {
    emit: (type: string, thing: Thing, { previous, hold = false }: { previous?: object; hold?: boolean } = {}) => {
      if (!subscribedEvents.includes(type)) return
      const id = newName('evt_')
      const data = { object: thing, ...(previous && { previous_attributes: previous }) }
      const envelope = { id, object: 'event', api_version: apiVersion, created: Math.floor(now().getTime() / 1_000) }
      const rest = { livemode: false, pending_webhooks: 1, request: { id: null, idempotency_key: null }, type, data }
      const body = shown({ ...envelope, ...rest })
      const event: Outgoing = { id, type, body, state: 'held', attempts: 0, status: null }
      store.events.push(event)
      if (!isHolding && !hold) start(event)
    },
    sendTo: (url: string) => {
      eventsUrl = url
    },
    /** Keeps all events back from now on. */
    hold: () => {
      isHolding = true
    },
    /**
     * Sends what was kept back, and keeps nothing back any more; or only what names one object, and nothing else changes.
     * In reverse, each one waits for the one before.
     */
    release: async ({ reverse = false, of }: { reverse?: boolean; of?: string | undefined } = {}) => {
      if (of === undefined) isHolding = false
      if (!reverse) for (const event of held(of)) start(event)
      for (const event of held(of).reverse()) await start(event)
    },
    /** Sends what is kept back now, after a while. `settled` does not wait for it. */
    releaseAfter: (milliseconds: number) => {
      const events = held()
      sleep(milliseconds, undefined, { signal: closing.signal, ref: false }).then(
        () => events.filter(({ state }) => state === 'held').forEach(start),
        () => {},
      )
    },
    /** What was kept back is never sent: all of it, or what names one object. */
    drop: ({ of }: { of?: string | undefined } = {}) => {
      for (const event of held(of)) event.state = 'dropped'
    },
    deliverAgain: (id: string) => {
      const event = store.events.find((one) => one.id === id)
      if (event) start(event)
      return event
    },
    list: (): readonly Outgoing[] => store.events,
    /** Waits until nothing is on its way. */
    settled: async () => {
      while (running.size > 0) await Promise.all(running)
    },
    close: async () => {
      closing.abort()
      await Promise.all(running)
    },
  }
}

const apiVersion = '2026-10-28.endive'

/** Stripe's signature: of the machine's time, which is what the receiver compares it with. */
export function sign(body: string, secret: string, at = Date.now()): string {
  const seconds = Math.floor(at / 1_000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
