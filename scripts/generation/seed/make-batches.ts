import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { batchSize, type EncodedBatch, type SeedPlan } from './batch.ts'

/** Enough batches that no thread waits for the database; more would use too much memory. */
const aheadPerThread = 3

/** All batches in order. Several threads create them slightly ahead of the consumer. */
export async function* makeBatches(plan: SeedPlan, threads: number): AsyncGenerator<EncodedBatch> {
  const count = Math.ceil(plan.posts / batchSize)
  const workers = Array.from({ length: Math.min(threads, count) }, () => startThread(plan))
  const ordered: Promise<EncodedBatch>[] = []
  try {
    for (let taken = 0; taken < count; taken++) {
      for (let next = ordered.length; next < Math.min(count, taken + workers.length * aheadPerThread); next++) {
        const batch = workers[next % workers.length]?.order(next) as Promise<EncodedBatch>
        // The consumer handles the error; until then it must not be reported as unhandled.
        batch.catch(() => {})
        ordered.push(batch)
      }
      yield (await ordered[taken]) as EncodedBatch
      delete ordered[taken]
    }
  } finally {
    await Promise.all(workers.map(({ end }) => end()))
  }
}

type Made = { number: number; batch: EncodedBatch }

function startThread(plan: SeedPlan) {
  const worker = new Worker(new URL('./batch-thread.ts', import.meta.url), { workerData: plan })
  const waiting = new Map<number, (batch: EncodedBatch) => void>()
  const failed = once(worker, 'error').then(([error]) => Promise.reject(error))
  failed.catch(() => {})
  worker.on('message', ({ number, batch }: Made) => {
    waiting.get(number)?.(batch)
    waiting.delete(number)
  })
  return {
    order: (number: number): Promise<EncodedBatch> => {
      const made = new Promise<EncodedBatch>((resolve) => waiting.set(number, resolve))
      worker.postMessage(number)
      return Promise.race([made, failed])
    },
    end: () => worker.terminate(),
  }
}
