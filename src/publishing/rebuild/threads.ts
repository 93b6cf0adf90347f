import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { Assigned, Finished, ThreadData } from './thread.ts'
import type { Piece } from './write-piece.ts'

/** While a thread waits for the rows of one piece, it writes the other. */
const piecesPerThread = 2

/** Distributes pieces to threads, two at a time to each, and calls `onDone` for each piece in the original order. */
export async function writeInThreads<Given extends { piece: Piece }>(
  count: number,
  data: ThreadData,
  pieces: AsyncIterable<Given>,
  onDone: (given: Given, files: number) => Promise<void>,
): Promise<void> {
  const source = pieces[Symbol.asyncIterator]()
  const inOrder = makeOrder(onDone)
  let hasFailed = false
  const work = async () => {
    const thread = openThread(data)
    const lane = async () => {
      for (let next = await source.next(); !next.done && !hasFailed; next = await source.next()) {
        const report = inOrder.expect(next.value)
        await report(await thread.write(next.value.piece))
      }
    }
    try {
      await allEnded(Array.from({ length: piecesPerThread }, () => lane().catch(fail)))
    } finally {
      await thread.end()
    }
  }
  const fail = (error: unknown) => {
    hasFailed = true
    throw error
  }
  await allEnded(Array.from({ length: count }, work))
}

/** Waits for all, so that nothing is written after an error is reported, and then throws the first error. */
async function allEnded(running: readonly Promise<void>[]): Promise<void> {
  for (const one of await Promise.allSettled(running)) if (one.status === 'rejected') throw one.reason
}

function openThread(data: ThreadData) {
  const worker = new Worker(new URL('./thread.ts', import.meta.url), { workerData: data })
  const waiting = new Map<number, (files: number) => void>()
  const failed = once(worker, 'error').then(([error]) => {
    throw error
  })
  // Whoever waits for a piece gets the error.
  failed.catch(() => {})
  worker.on('message', ({ number, files }: Finished) => {
    waiting.get(number)?.(files)
    waiting.delete(number)
  })
  let pieces = 0
  return {
    /** Returns the number of files. */
    write: (piece: Piece): Promise<number> => {
      const { promise, resolve } = Promise.withResolvers<number>()
      const number = ++pieces
      waiting.set(number, resolve)
      worker.postMessage({ number, piece } satisfies Assigned)
      return Promise.race([promise, failed])
    },
    end: () => worker.terminate(),
  }
}

/** Calls `onDone` for a piece only after all earlier pieces, so that stored progress has no gaps. */
function makeOrder<Given>(onDone: (given: Given, files: number) => Promise<void>) {
  const expected: { given: Given; files?: number }[] = []
  let telling = Promise.resolve()
  const tell = async () => {
    for (let first = expected[0]; first?.files !== undefined; first = expected[0]) {
      expected.shift()
      await onDone(first.given, first.files)
    }
  }
  return {
    expect: (given: Given) => {
      const entry: (typeof expected)[number] = { given }
      expected.push(entry)
      return (files: number) => {
        entry.files = files
        telling = telling.then(tell)
        return telling
      }
    },
  }
}
