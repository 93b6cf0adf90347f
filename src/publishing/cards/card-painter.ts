import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import type { CardReply, CardThreadData } from './card-thread.ts'
import { missingFonts } from './fonts.ts'
import type { PostCard } from './post-card.ts'

/** `reason`: `timeout`, or the name of the error. */
export class CardFailed extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(`a card could not be drawn: ${reason}`)
    this.reason = reason
  }
}

export type CardPainter = AsyncDisposable & {
  /** The files of missing fonts. If there are any, no card is drawn. */
  missing: readonly string[]
  /** Draws cards one after another in a thread. Throws `CardFailed`. */
  draw: (card: PostCard) => Promise<Buffer>
}

type Options = {
  /** The folder of the fonts. */
  directory: string
  thread?: URL
  /** A card takes less than a tenth of a second; starting the thread takes a second on a busy machine. */
  limitMs?: number
}

/** A text has at most 8,000 units, which needs a few megabytes. The pixels are outside of this limit. */
const mostHeapMb = 128

/** Starts the thread with the first card, and replaces it if a card takes too long or ends it. */
export function openCardPainter({ directory, thread = usualThread, limitMs = 30_000 }: Options): CardPainter {
  let worker: Worker | undefined
  let isClosed = false
  let last: Promise<unknown> = Promise.resolve()
  const start = () => {
    const workerData: CardThreadData = { directory }
    const started = new Worker(thread, {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: mostHeapMb },
      // Fonts of the machine stay unused: with them, the same card would look different elsewhere.
      env: { DISABLE_SYSTEM_FONTS_LOAD: '1' },
    })
    // An idle thread does not keep the process alive.
    started.unref()
    return started
  }
  const stop = async () => {
    const ended = worker
    worker = undefined
    await ended?.terminate()
  }
  const drawNext = async (card: PostCard): Promise<Buffer> => {
    if (isClosed) throw new CardFailed('closed')
    worker ??= start()
    try {
      return await ask(worker, card, limitMs)
    } catch (error) {
      await stop()
      throw error
    }
  }
  return {
    missing: missingFonts(directory).map(({ file }) => file),
    draw: (card) => {
      const drawn = last.then(() => drawNext(card))
      last = drawn.catch(() => {})
      return drawn
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true
      await stop()
      await last
    },
  }
}

const usualThread = new URL('./card-thread.ts', import.meta.url)

async function ask(worker: Worker, card: PostCard, limitMs: number): Promise<Buffer> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), limitMs)
  worker.ref()
  try {
    const answered = once(worker, 'message', { signal: limit.signal }) as Promise<[CardReply]>
    const ended = once(worker, 'exit', { signal: limit.signal }).then(() => {
      throw new CardFailed('exit')
    })
    worker.postMessage(card)
    const [reply] = await Promise.race([answered, ended])
    if ('error' in reply) throw new CardFailed(reply.error)
    return Buffer.from(reply.png.buffer, reply.png.byteOffset, reply.png.byteLength)
  } catch (error) {
    throw error instanceof CardFailed ? error : new CardFailed(limit.signal.aborted ? 'timeout' : (error as Error).name)
  } finally {
    clearTimeout(timer)
    worker.unref()
    // Ends both waits.
    limit.abort()
  }
}
