import { once } from 'node:events'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'

/**
 * Polls a health endpoint from a separate thread, because a test that floods a server is too busy to measure response
 * times. `stop` returns the milliseconds of each response, or fails if one was not 200.
 */
export function watchHealth(url: string) {
  const worker = new Worker(new URL(import.meta.url), { workerData: url })
  return {
    stop: async () => {
      worker.postMessage('stop')
      const [took] = (await once(worker, 'message')) as [number[]]
      return took
    },
    [Symbol.asyncDispose]: async () => void (await worker.terminate()),
  }
}

async function watch(url: string): Promise<void> {
  const took: number[] = []
  let isOver = false
  parentPort?.once('message', () => {
    isOver = true
  })
  while (!isOver) {
    const begin = performance.now()
    const response = await fetch(url)
    await response.arrayBuffer()
    if (response.status !== 200) throw new Error(`${response.status}`)
    took.push(performance.now() - begin)
  }
  parentPort?.postMessage(took)
}

if (!isMainThread && typeof workerData === 'string') await watch(workerData)
