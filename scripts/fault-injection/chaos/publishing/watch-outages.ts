import { setTimeout as sleep } from 'node:timers/promises'
import { answers } from '../../../../tooling/services/stack.ts'
import type { Kept } from '../keep-process.ts'
import { toSeconds } from '../outcomes.ts'

/** Asks each process again and again whether it is ready, and remembers its longest outage. */
export function watchOutages(processes: readonly Kept[]) {
  const stop = new AbortController()
  const longest = new Map<string, number>()
  const watching = processes.map(async ({ name, readyUrl }) => {
    let lastReadyAt = performance.now()
    while (!stop.signal.aborted) {
      if (await answers(readyUrl).catch(() => false)) lastReadyAt = performance.now()
      longest.set(name, Math.max(longest.get(name) ?? 0, performance.now() - lastReadyAt))
      await sleep(200)
    }
  })
  return {
    /** In seconds, by process. */
    longest: () => Object.fromEntries([...longest].map(([name, ms]) => [name, toSeconds(ms)])),
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await Promise.all(watching)
    },
  }
}
