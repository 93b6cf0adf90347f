import type { StreamFilter } from './filter.ts'
import type { StreamEntry } from './render-entry.ts'

type Bounds = { entries: number; bytes: number }

export type RingPart = { bytes: Buffer; position: number; events: number }

/** The newest entries of the log, encoded, up to a number and a size. Positions have no gaps. */
export function openRing(bounds: Bounds) {
  let entries: StreamEntry[] = []
  let bytes = 0
  const sizeOf = (entry: StreamEntry) => entry.bytes?.length ?? 0
  const dropOldest = () => {
    let dropped = 0
    while (entries.length - dropped > bounds.entries || bytes > bounds.bytes) {
      bytes -= sizeOf(entries[dropped] as StreamEntry)
      dropped += 1
    }
    if (dropped > 0) entries = entries.slice(dropped)
  }
  /** The text of a post that was taken down stays in memory no longer. */
  const forget = (postId: string) => {
    for (const entry of entries) {
      if (entry.postId !== postId || entry.isRemoval) continue
      bytes -= sizeOf(entry)
      entry.bytes = null
    }
  }
  return {
    append: (added: readonly StreamEntry[]): void => {
      for (const entry of added) {
        if (entry.isRemoval) forget(entry.postId)
        entries.push(entry)
        bytes += sizeOf(entry)
      }
      dropOldest()
    },
    /** What a reader at this position gets next, about `maxBytes`; undefined if the ring no longer has it all. */
    after: (position: number, filter: StreamFilter, maxBytes: number): RingPart | undefined => {
      const first = entries[0]
      if (!first || position < first.position - 1) return undefined
      const chosen: Buffer[] = []
      let [size, reached] = [0, position]
      for (let at = position - first.position + 1; at < entries.length && size < maxBytes; at++) {
        const entry = entries[at] as StreamEntry
        reached = entry.position
        if (!entry.bytes || !entry.isFor(filter)) continue
        chosen.push(entry.bytes)
        size += entry.bytes.length
      }
      return { bytes: Buffer.concat(chosen), position: reached, events: chosen.length }
    },
    clear: (): void => {
      entries = []
      bytes = 0
    },
    bytes: () => bytes,
  }
}
