import { setTimeout as sleep } from 'node:timers/promises'
import type { JournalEntry } from './authors.ts'

const toleratedMs = 60_000
/** At most a hundred readings a second: the service needs the processor too. */
const pauseMs = 10

type Reading = { id: string; withdrawnAt: number; readAt: number }

/** Reads the pages of withdrawn posts again and again, as a stranger would. Nobody may read one a minute later. */
export function watchWithdrawn(baseUrl: string, journal: readonly JournalEntry[]) {
  const stop = new AbortController()
  const readings = new Map<string, Reading>()
  const watching = (async () => {
    while (!stop.signal.aborted) {
      for (const { id, withdrawnAt } of journal.filter((entry) => entry.withdrawnAt)) {
        if (stop.signal.aborted) return
        const readAt = Date.now()
        const response = await fetch(`${baseUrl}/p/${id}.json`, { signal: AbortSignal.timeout(5_000) }).catch(
          () => null,
        )
        await response?.arrayBuffer().catch(() => {})
        await sleep(pauseMs)
        if (response?.status === 200) readings.set(id, { id, withdrawnAt: Number(withdrawnAt), readAt })
      }
      await sleep(250)
    }
  })()
  const ages = () => [...readings.values()].map((reading) => reading.readAt - reading.withdrawnAt)
  const readable = () => ages().filter((age) => age > toleratedMs)
  return {
    readable,
    longestMs: () => Math.max(0, ...ages()),
    faults: () => {
      const count = readable().length
      return count > 0 ? [`${count} withdrawn posts were readable more than 60 s after their withdrawal`] : []
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await watching
    },
  }
}
