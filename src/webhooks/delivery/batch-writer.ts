import { setTimeout as pause } from 'node:timers/promises'
import { isDataFault } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/observability/logger.ts'

const mostAtOnce = 500
const retryMs = 250

export type BatchWriter<Item> = ReturnType<typeof createBatchWriter<Item>>

/**
 * Writes all that came in while the last writing was under way in one statement. While the database cannot take it, it is
 * tried again until the process ends; one item that it refuses must not hold up the others.
 */
export function createBatchWriter<Item>(
  what: string,
  logger: Logger,
  write: (items: readonly Item[]) => Promise<unknown>,
) {
  let waiting: { item: Item; done: () => void }[] = []
  let isWriting = false
  let isClosed = false
  /** One at a time after a refusal, until the one that is refused is found. */
  let atOnce = mostAtOnce

  const writeSome = async () => {
    const batch = waiting.slice(0, atOnce)
    try {
      await write(batch.map(({ item }) => item))
    } catch (error) {
      logger.warn({ error, count: batch.length }, `${what} could not be written down`)
      if (!isDataFault(error)) return pause(retryMs)
      if (batch.length > 1) {
        atOnce = 1
        return
      }
      logger.error({ error }, `one of the ${what} was given up`)
      atOnce = mostAtOnce
    }
    waiting = waiting.slice(batch.length)
    for (const { done } of batch) done()
  }
  const writeAll = async () => {
    isWriting = true
    while (waiting.length > 0 && !isClosed) await writeSome()
    atOnce = mostAtOnce
    isWriting = false
  }
  return {
    /** Done when it is written, or will never be. */
    add: (item: Item) =>
      new Promise<void>((done) => {
        if (isClosed) return done()
        waiting.push({ item, done })
        if (!isWriting) void writeAll()
      }),
    /** Gives up what is not written. */
    close: () => {
      isClosed = true
      for (const { done } of waiting) done()
    },
  }
}
