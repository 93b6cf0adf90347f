import { setTimeout as sleep } from 'node:timers/promises'
import { type Deployment, messagesUrl, type ServiceHost } from './deployment.ts'
import type { Disturbances } from './faults.ts'

const publishedWithinMs = 5_000
const withdrawnWithinMs = 10_000
/** When a new post is looked for, in milliseconds after its publication. Most of them only when they must be there. */
const laterLooks = [4_500, 4_900, 6_000, 8_000, 12_000, 20_000, 40_000]
const sampledLooks = [250, 500, 1_000, 1_500, 2_000, 3_000, 4_000, ...laterLooks]
const sampledOneOf = 10
/** A host that was ready for less than this is not judged. */
const settledMs = 2_000

type Published = { id: string; published_at: Date }

/**
 * Reads every published post on every undisturbed host until it is there, and every withdrawn one again and again.
 */
export function watchPosts({ hosts, query }: Deployment, disturbed: Disturbances) {
  const stop = new AbortController()
  const delays: number[] = []
  const late: string[] = []
  const withdrawn = new Map<string, number>()
  const pending = new Set<Promise<void>>()
  let readings = 0

  const start = (work: Promise<void>) => {
    pending.add(work)
    void work.finally(() => pending.delete(work))
  }

  async function untilReadable(host: ServiceHost, { id, published_at }: Published, isSampled: boolean): Promise<void> {
    const publishedAt = published_at.getTime()
    for (const look of isSampled ? sampledLooks : laterLooks) {
      await sleep(Math.max(0, publishedAt + look - Date.now()))
      // What a disturbed host answers does not count, and asking it would only keep this process busy.
      if (withdrawn.has(id) || !disturbed.wasQuiet(host, publishedAt - settledMs, Date.now())) return
      const { status } = await host.get(`${messagesUrl}/p/${id}.json`)
      if (status !== 200 || !disturbed.wasQuiet(host, publishedAt - settledMs, Date.now())) continue
      readings++
      if (isSampled) delays.push(look)
      if (look > publishedWithinMs) late.push(`${id} was readable on ${host.name} only after ${look} ms`)
      return
    }
    if (withdrawn.has(id) || !disturbed.wasQuiet(host, publishedAt - settledMs, Date.now())) return
    late.push(`${id} was not readable on ${host.name} after 40 s`)
  }

  const finding = (async () => {
    let after = new Date()
    let found = 0
    while (!stop.signal.aborted) {
      const rows = await query<Published>(
        `select id, published_at from posts where published_at > $1 and status = 'published' order by published_at limit 500`,
        [after],
      ).catch(() => [])
      for (const row of rows) {
        const isSampled = found++ % sampledOneOf === 0
        for (const host of hosts) start(untilReadable(host, row, isSampled))
        after = row.published_at
      }
      await sleep(200)
    }
  })()

  const withdrawals = rereadWithdrawn(hosts, disturbed, withdrawn)

  return {
    noteWithdrawn: (id: string) => void withdrawn.set(id, Date.now()),
    untilChecked: async () => {
      await Promise.all(pending)
    },
    figures: () => {
      const sorted = delays.toSorted((one, other) => one - other)
      const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
      return {
        readings_of_new_posts: readings,
        sampled: delays.length,
        readable_after_ms: { p50: at(0.5), p95: at(0.95), p99: at(0.99), most: sorted.at(-1) ?? 0 },
        later_than_5_s: late.length,
        ...withdrawals.figures(),
      }
    },
    faults: () => [...late.slice(0, 5), ...withdrawals.faults()],
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await Promise.all([finding, withdrawals[Symbol.asyncDispose]()])
    },
  }
}

function rereadWithdrawn(
  hosts: readonly ServiceHost[],
  disturbed: Disturbances,
  withdrawn: ReadonlyMap<string, number>,
) {
  const stop = new AbortController()
  const readable: string[] = []
  let longestReadableMs = 0
  let reads = 0
  const rereading = (async () => {
    while (!stop.signal.aborted) {
      for (const [id, at] of [...withdrawn].slice(-300))
        for (const host of hosts) {
          if (stop.signal.aborted) return
          const readAt = Date.now()
          const age = readAt - at
          if (!disturbed.wasQuiet(host, readAt - settledMs, readAt)) {
            await sleep(40)
            continue
          }
          const { status } = await host.get(`${messagesUrl}/p/${id}.json`)
          await sleep(40)
          if (!disturbed.wasQuiet(host, readAt - settledMs, Date.now())) continue
          reads++
          if (status !== 200) continue
          longestReadableMs = Math.max(longestReadableMs, age)
          if (age > withdrawnWithinMs)
            readable.push(`${id} was readable on ${host.name} ${age} ms after its withdrawal`)
        }
      await sleep(100)
    }
  })()

  return {
    figures: () => ({
      readings_of_withdrawn_posts: reads,
      longest_ms_readable_after_withdrawal: longestReadableMs,
      readable_10_s_after_withdrawal: readable.length,
    }),
    faults: () => readable.slice(0, 5),
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await rereading
    },
  }
}
