import { setPriority } from 'node:os'
import { parentPort, workerData } from 'node:worker_threads'
import type { PostCard } from './post-card.ts'
import { openRenderer } from './render-card.ts'

/** `directory`: the folder of the fonts. */
export type CardThreadData = { directory: string }
export type CardReply = { png: Uint8Array } | { error: string }

const { directory } = workerData as CardThreadData
if (!parentPort) throw new Error('this module must run in a worker thread')
const port = parentPort
yieldToPages()
const render = openRenderer(directory)

// One message for each card, so that the event loop turns in between.
port.on('message', (card: PostCard) => port.postMessage(reply(card)))

function reply(card: PostCard): CardReply {
  try {
    return { png: render(card) }
  } catch (error) {
    // The message could quote the text.
    return { error: (error as Error).name }
  }
}

/**
 * While pages need the processor, cards wait. On Linux, this concerns the calling thread and not the process. Where it
 * is forbidden, cards are drawn at the usual priority.
 */
function yieldToPages(): void {
  try {
    setPriority(10)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SYSTEM_ERROR') throw error
  }
}
