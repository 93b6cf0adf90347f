import { setTimeout as sleep } from 'node:timers/promises'
import type { Account, Environment } from '../../fault-injection/chaos/environment.ts'
import { openTraffic } from '../../fault-injection/chaos/traffic.ts'

type Failure = { what: string; answer: string; at_seconds: number; step: string }

/**
 * A constant rate of requests through the gateway: of eight, one submission, two other calls of the API and five pages.
 * Nothing is repeated except a submission, with its key; every answer other than 2xx counts as failed. Every second
 * reader accepts no compressed page, like curl and many agents.
 */
export function startLoad(environment: Environment, accounts: readonly Account[], perSecond: number) {
  const { baseUrl } = environment
  const startedAt = performance.now()
  const traffic = openTraffic({ baseUrl, accounts })
  const failures: Failure[] = []
  const milliseconds: number[] = []
  const pending = new Set<Promise<void>>()
  const stop = new AbortController()
  let step = 'earlier program'
  let requests = 0
  const fail = (what: string, answer: string) =>
    failures.push({ what, answer, step, at_seconds: Math.round(performance.now() - startedAt) / 1_000 })

  const get = async (path: string, apiKey?: string) => {
    const sentAt = performance.now()
    try {
      const encoding = requests % 2 === 0 ? 'gzip' : 'identity'
      const headers = { 'accept-encoding': encoding, ...(apiKey && { authorization: `Bearer ${apiKey}` }) }
      const response = await fetch(`${baseUrl}${path}`, { headers, signal: AbortSignal.timeout(30_000) })
      await response.arrayBuffer()
      if (!response.ok) fail(path, String(response.status))
    } catch (error) {
      fail(path, error instanceof Error ? `${error.message} ${String(error.cause ?? '')}` : 'no response')
    }
    milliseconds.push(performance.now() - sentAt)
  }
  const submit = async (number: number) => {
    const failedBefore = traffic.lost.length
    await traffic.submit(number)
    if (traffic.lost.length > failedBefore) fail('POST /v1/posts', 'no response or 5xx')
  }
  const send = (number: number): Promise<void> => {
    const account = accounts[number % accounts.length]
    const post = traffic.acknowledged.at(number % Math.max(1, traffic.acknowledged.length))
    if (number % 8 === 0) return submit(number)
    if (number % 8 === 1) return get('/v1/account', account?.apiKey)
    if (number % 8 === 2 && post) return get(`/v1/posts/${post.id}`, keyOf(accounts, post))
    return get(number % 8 < 6 ? '/' : '/archive')
  }
  const running = (async () => {
    while (!stop.signal.aborted) {
      const due = Math.floor(((performance.now() - startedAt) / 1_000) * perSecond)
      for (; requests < due; requests++) {
        const one: Promise<void> = send(requests).finally(() => pending.delete(one))
        pending.add(one)
      }
      await sleep(1_000 / perSecond / 2)
    }
    await Promise.all(pending)
  })()
  return {
    traffic,
    failures,
    milliseconds,
    requests: () => requests,
    enter: (name: string) => {
      step = name
    },
    end: async () => {
      stop.abort()
      await running
    },
  }
}

const keyOf = (accounts: readonly Account[], post: { accountId: string } | undefined) =>
  accounts.find(({ id }) => id === post?.accountId)?.apiKey
