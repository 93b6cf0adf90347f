import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { CardReply } from './drawing-child.ts'
import { missingFonts } from './fonts.ts'
import type { PostCard } from './post-card.ts'

/** `reason`: `busy`, `fonts`, `timeout`, `exit`, or the name of the error. */
export class CardFailed extends Error {
  readonly reason: string

  constructor(reason: string) {
    super(`a card could not be drawn: ${reason}`)
    this.reason = reason
  }
}

export type CardPainter = AsyncDisposable & {
  /** The files of missing fonts. */
  missing: readonly string[]
  /** Draws one card after another. Throws `CardFailed`; `busy` means that it was not tried. */
  draw: (card: PostCard) => Promise<Buffer>
}

type Options = {
  /** The folder of the fonts. */
  directory: string
  /** The program that draws. */
  child?: URL
  /** A card takes less than a tenth of a second; starting the child takes a second on a busy machine. */
  limitMs?: number
  /** The longest wait for the cards before. Together with the limit, the gateway waits a little longer. */
  waitMs?: number
}

/** A text has at most 8,000 units, which needs a few megabytes. The pixels are outside of this limit. */
const mostHeapMb = 128

/**
 * Draws in a child process, because only a process can be ended in the middle of a drawing. It is replaced if a card
 * takes too long or ends it.
 */
export function openCardPainter(options: Options): CardPainter {
  const { directory, child: program = usualChild, limitMs = 10_000, waitMs = 5_000 } = options
  let child: ChildProcess | undefined
  let isClosed = false
  let last: Promise<unknown> = Promise.resolve()
  const drawNext = async (card: PostCard, until: number): Promise<Buffer> => {
    if (isClosed || performance.now() > until) throw new CardFailed('busy')
    child ??= startChild(program, directory)
    try {
      return await ask(child, card, limitMs)
    } catch (error) {
      child.kill('SIGKILL')
      child = undefined
      throw error
    }
  }
  return {
    missing: missingFonts(directory).map(({ file }) => file),
    draw: (card) => {
      const until = performance.now() + waitMs
      const drawn = last.then(() => drawNext(card, until))
      last = drawn.catch(() => {})
      return drawn
    },
    [Symbol.asyncDispose]: async () => {
      isClosed = true
      child?.kill('SIGKILL')
      await last
    },
  }
}

const usualChild = new URL('./drawing-child.ts', import.meta.url)

function startChild(program: URL, directory: string): ChildProcess {
  const child = fork(fileURLToPath(program), [directory], {
    execArgv: [`--max-old-space-size=${mostHeapMb}`],
    // No secret. Fonts of the machine stay unused: with them, the same card would look different elsewhere.
    env: { DISABLE_SYSTEM_FONTS_LOAD: '1' },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  // `ask` sees the exit.
  child.on('error', () => {})
  // An idle child does not keep the process alive.
  child.unref()
  child.channel?.unref()
  return child
}

async function ask(child: ChildProcess, card: PostCard, limitMs: number): Promise<Buffer> {
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), limitMs)
  child.channel?.ref()
  try {
    const answered = once(child, 'message', { signal: limit.signal }) as Promise<[CardReply]>
    const ended = once(child, 'exit', { signal: limit.signal }).then(() => {
      throw new CardFailed('exit')
    })
    child.send(card)
    const [reply] = await Promise.race([answered, ended])
    if ('error' in reply) throw new CardFailed(reply.error)
    return reply.png
  } catch (error) {
    throw error instanceof CardFailed ? error : new CardFailed(limit.signal.aborted ? 'timeout' : (error as Error).name)
  } finally {
    clearTimeout(timer)
    child.channel?.unref()
    // Ends both waits.
    limit.abort()
  }
}
