import type { PostCard } from './post-card.ts'
import { openRenderer } from './render-card.ts'

export type CardReply = { png: Buffer } | { error: string }

const render = openRenderer(String(process.argv[2]))

// One message for each card, so that the event loop turns in between.
process.on('message', (card: PostCard) => process.send?.(reply(card)))
// Ctrl-C in a terminal reaches the whole group; the process that asks for cards ends this one.
process.on('SIGINT', () => {})

function reply(card: PostCard): CardReply {
  try {
    return { png: render(card) }
  } catch (error) {
    // The message could quote the text.
    return { error: (error as Error).name }
  }
}
