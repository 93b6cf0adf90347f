import { setTimeout as sleep } from 'node:timers/promises'

const paths = ['/', '/index.json', '/feed.xml', '/archive/']

/** Reads pages through the gateway all the time, as readers do. */
export function watchReads(baseUrl: string) {
  const stop = new AbortController()
  const failures: string[] = []
  let reads = 0
  let longestMs = 0
  const reading = (async () => {
    while (!stop.signal.aborted)
      for (const path of paths) {
        const startedAt = performance.now()
        const status = await statusOf(new URL(path, baseUrl))
        reads++
        longestMs = Math.max(longestMs, performance.now() - startedAt)
        if (status !== '200') failures.push(`${path}: ${status}`)
        await sleep(50)
      }
  })()
  return {
    figures: () => ({ reads, failed_reads: failures.length, longest_read_ms: Math.round(longestMs) }),
    faults: () => (failures.length > 0 ? [`${failures.length} reads failed, for example ${failures[0]}`] : []),
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await reading
    },
  }
}

async function statusOf(url: URL): Promise<string> {
  try {
    const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(10_000) })
    await response.arrayBuffer()
    return String(response.status)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
