import { setTimeout as sleep } from 'node:timers/promises'
import { type Deployment, messagesUrl, type ServiceHost } from './deployment.ts'
import type { Disturbances } from './faults.ts'

const paths = ['/', '/index.json', '/feed.xml', '/archive/', '/docs/', '/topics/', '/v1/posts?limit=1']
const pauseMs = 100

/** Readers of each host. Those of an undisturbed host must not notice what happens to the other one. */
export function watchReaders({ hosts }: Deployment, disturbed: Disturbances) {
  const stop = new AbortController()
  const failures: string[] = []
  let reads = 0
  let longestMs = 0

  async function readFrom(host: ServiceHost): Promise<void> {
    while (!stop.signal.aborted)
      for (const path of paths) {
        const from = Date.now()
        if (!disturbed.wasQuiet(host, from, from)) {
          await sleep(pauseMs)
          continue
        }
        const { status, text, milliseconds } = await host.get(`${messagesUrl}${path}`)
        await sleep(pauseMs)
        // A connection that was opened to a disturbed host may break a moment later.
        if (!disturbed.wasQuiet(host, from - 1_000, Date.now() + 100)) continue
        reads++
        longestMs = Math.max(longestMs, milliseconds)
        if (status !== 200) failures.push(`${host.name} ${path}: ${status} ${text.slice(0, 100)}`)
      }
  }

  const reading = Promise.all(hosts.map(readFrom))
  return {
    figures: () => ({ reads, failed_reads: failures.length, longest_read_ms: longestMs }),
    faults: () => failures.slice(0, 5),
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await reading
    },
  }
}
