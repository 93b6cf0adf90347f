import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { openApiClient } from '../../../tooling/clients/api-client.ts'
import type { Account } from './environment.ts'

/** An acknowledged post, with the data that its author received. */
export type Acknowledged = {
  id: string
  accountId: string
  text: string
  /** When it was first sent, in milliseconds of the machine's clock. */
  sentAt: number
  createdAt: number
  replayed: boolean
  /** The estimated decision time in the response. */
  told: { state: 'running' | 'starting'; decisionAt: number }
}

/** A request without a response, or with a 5xx: the client does not know whether it was executed. */
type Lost = { sentAt: number; endedAt: number }

export type Traffic = ReturnType<typeof openTraffic>

/** Clients that retry each post until they get a response, always with the same Idempotency-Key. */
export function openTraffic({ baseUrl, accounts }: { baseUrl: string; accounts: readonly Account[] }) {
  const acknowledged: Acknowledged[] = []
  const refused: string[] = []
  const lost: Lost[] = []
  const answers = new Map<string, number>()
  let attempts = 0
  let inFlight = 0
  const countingFetch: typeof fetch = async (url, request) => {
    const sentAt = Date.now()
    attempts++
    inFlight++
    const response = await fetch(url, request).catch((error) => ({ error }))
    inFlight--
    const name = 'error' in response ? 'none' : String(response.status)
    answers.set(name, (answers.get(name) ?? 0) + 1)
    if ('error' in response || response.status >= 500) lost.push({ sentAt, endedAt: Date.now() })
    if ('error' in response) throw response.error
    return response
  }
  // About five minutes of retries, longer than any outage here.
  const settings = { baseUrl, maxRetries: 50, timeoutMs: 15_000, fetch: countingFetch }
  const clients = accounts.map(({ id, apiKey }) => ({ accountId: id, client: openApiClient({ ...settings, apiKey }) }))
  const submit = async (number: number): Promise<void> => {
    const author = clients[number % clients.length]
    if (!author) throw new Error('traffic needs an account')
    const text = makeText(number)
    const sentAt = Date.now()
    const options = { idempotencyKey: `chaos-${crypto.randomUUID()}` }
    try {
      const { body, headers } = await author.client.submitPost({ text }, {}, options)
      if (!('moderation' in body && 'id' in body)) throw new Error('the response is not a status record')
      const { id, created_at, moderation } = body
      acknowledged.push({
        id,
        accountId: author.accountId,
        text,
        sentAt,
        createdAt: Date.parse(created_at),
        replayed: headers.get('idempotent-replayed') === 'true',
        told: {
          state: moderation?.state ?? 'running',
          decisionAt: Date.parse(moderation?.estimated_decision_at ?? created_at),
        },
      })
    } catch (error) {
      refused.push(error instanceof Error ? error.message : String(error))
    }
  }
  return {
    submit,
    acknowledged,
    /** The reasons why posts were given up. */
    refused,
    lost,
    answers,
    attempts: () => attempts,
    inFlight: () => inFlight,
  }
}

const words = (
  'amber anchor basalt beacon birch bridge canal cedar cliff clover comet coral crane delta dune ember fern fjord ' +
  'garden glacier granite grove harbour heron island ivy juniper kelp lagoon lantern lark ledge lichen lighthouse ' +
  'linden maple marsh meadow mill moss oak orchard otter pebble pier pine plover quarry reed ridge river saddle sail ' +
  'shore spruce stone swan tern thistle tide tower valley wharf willow'
).split(' ')
export const randomWord = () => String(words[randomInt(words.length)])

/** The model accepts all of 3,000 such texts, and none are near-duplicates. */
export const makeText = (number: number) =>
  `Walk ${number}: from the ${randomWord()} past the ${randomWord()} to the ${randomWord()}, then ${randomWord()}, ${randomWord()}, ${randomWord()} and ` +
  `${randomWord()}; back by the ${randomWord()}, the ${randomWord()} and the old ${randomWord()}.`

/** Works through the queue with the given concurrency. */
export function openPool(size: number) {
  const waiting: (() => Promise<void>)[] = []
  const running = new Set<Promise<void>>()
  const fill = () => {
    while (running.size < size) {
      const work = waiting.shift()
      if (!work) return
      const done: Promise<void> = work().finally(() => {
        running.delete(done)
        fill()
      })
      running.add(done)
    }
  }
  return {
    add: (work: () => Promise<void>) => {
      waiting.push(work)
      fill()
    },
    /** Waits until at most this many tasks are left. */
    untilLeft: async (most: number) => {
      while (waiting.length + running.size > most) await sleep(5)
    },
  }
}

/** Submits posts as fast as the given number of clients can. */
export async function submitAll(traffic: Traffic, { posts, clients }: { posts: number; clients: number }) {
  const pool = openPool(clients)
  for (let number = 1; number <= posts; number++) pool.add(() => traffic.submit(number))
  await pool.untilLeft(0)
}
