import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { ThreadData } from './thread.ts'
import type { Piece } from './write-piece.ts'

/** Distributes pieces to threads, one at a time to each, and calls `onDone` for each piece in the original order. */
export async function writeInThreads<Given extends { piece: Piece }>(
  count: number,
  data: ThreadData,
  pieces: AsyncIterable<Given>,
  onDone: (given: Given, files: number) => Promise<void>,
): Promise<void> {
  const source = pieces[Symbol.asyncIterator]()
  const inOrder = makeOrder(onDone)
  const work = async () => {
    const thread = new Worker(new URL('./thread.ts', import.meta.url), { workerData: data })
    try {
      for (let next = await source.next(); !next.done; next = await source.next()) {
        const report = inOrder.expect(next.value)
        thread.postMessage(next.value.piece)
        const [files] = (await once(thread, 'message')) as [number]
        await report(files)
      }
    } finally {
      await thread.terminate()
    }
  }
  await Promise.all(Array.from({ length: count }, work))
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
