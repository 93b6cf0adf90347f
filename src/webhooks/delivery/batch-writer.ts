import { setTimeout as pause } from 'node:timers/promises'
import { isDataFault } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/observability/logger.ts'

const mostAtOnce = 500
const retryMs = 250

export type BatchWriter<Item> = ReturnType<typeof createBatchWriter<Item>>

/**
 * Collects items during a write and writes them together in the next statement. Retries while the database is
 * unavailable, until the writer is closed. One rejected item does not block the others.
 */
export function createBatchWriter<Item>(
  what: string,
  logger: Logger,
  write: (items: readonly Item[]) => Promise<unknown>,
) {
  let waiting: { item: Item; done: () => void }[] = []
  let isWriting = false
  let isClosed = false
  /** 1 after a rejection, until the rejected item is found. */
  let atOnce = mostAtOnce

  const writeSome = async () => {
    const batch = waiting.slice(0, atOnce)
    try {
      await write(batch.map(({ item }) => item))
    } catch (error) {
      logger.warn({ error, count: batch.length }, `could not write ${what}`)
      if (!isDataFault(error)) return pause(retryMs)
      if (batch.length > 1) {
        atOnce = 1
        return
      }
      logger.error({ error }, `gave up on one of the ${what}`)
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
    /** Resolves when the item is written or discarded. */
    add: (item: Item) =>
      new Promise<void>((done) => {
        if (isClosed) return done()
        waiting.push({ item, done })
        if (!isWriting) void writeAll()
      }),
    /** Discards the items that are not written yet. */
    close: () => {
      isClosed = true
      for (const { done } of waiting) done()
    },
  }
}
