import { createHmac } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { newName, shown, type Thing } from './objects.ts'
import type { Outgoing, Store } from './store.ts'

/** The events that a Stripe endpoint must subscribe to; `docs/runbooks/payments.md` has the same list. */
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
  /** The delays between attempts after a failed delivery. */
  retryDelaysMs?: readonly number[]
}

export type Webhooks = ReturnType<typeof openWebhooks>

/** Stripe's webhooks: signed, retried after failures, and in any order that a test chooses. */
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
    // Like Stripe: without a registered endpoint, nothing is sent.
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
  // Events that were held when the double stopped would never be released.
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
    /** Holds all events from now on. */
    hold: () => {
      isHolding = true
    },
    /**
     * Sends the held events and stops holding. With an object, sends only that object's events and keeps holding the
     * others. In reverse order, each event waits for the previous one.
     */
    release: async ({ reverse = false, of }: { reverse?: boolean; of?: string | undefined } = {}) => {
      if (of === undefined) isHolding = false
      if (!reverse) for (const event of held(of)) start(event)
      for (const event of held(of).reverse()) await start(event)
    },
    /** Sends the currently held events after a delay. `settled` does not wait for it. */
    releaseAfter: (milliseconds: number) => {
      const events = held()
      sleep(milliseconds, undefined, { signal: closing.signal, ref: false }).then(
        () => events.filter(({ state }) => state === 'held').forEach(start),
        () => {},
      )
    },
    /** Drops the held events: all of them, or those of one object. */
    drop: ({ of }: { of?: string | undefined } = {}) => {
      for (const event of held(of)) event.state = 'dropped'
    },
    deliverAgain: (id: string) => {
      const event = store.events.find((one) => one.id === id)
      if (event) start(event)
      return event
    },
    list: (): readonly Outgoing[] => store.events,
    /** Waits until no delivery is in progress. */
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

/** Stripe's signature. It uses the machine's time, because the receiver compares it with the current time. */
export function sign(body: string, secret: string, at = Date.now()): string {
  const seconds = Math.floor(at / 1_000)
  return `t=${seconds},v1=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`
}
