import type { StreamFilter } from './filter.ts'
import { bytesOfEntries, type StreamEntry, sizeOfEntry } from './render-entry.ts'

type Bounds = { entries: number; bytes: number }

export type RingPart = { bytes: Buffer; position: number; events: number }

/** The newest entries of the log, encoded, up to a number and a size. Positions have no gaps. */
export function openRing(bounds: Bounds) {
  let entries: StreamEntry[] = []
  let bytes = 0
  const dropOldest = () => {
    let dropped = 0
    while (entries.length - dropped > bounds.entries || bytes > bounds.bytes) {
      bytes -= sizeOfEntry(entries[dropped] as StreamEntry)
      dropped += 1
    }
    if (dropped > 0) entries = entries.slice(dropped)
  }
  /** Earlier entries of the post show it as it is now; if it was taken down, its text stays in memory no longer. */
  const replaceEarlier = ({ postId, isRemoval, data, isFor }: StreamEntry) => {
    for (const entry of entries) {
      if (entry.postId !== postId || entry.isRemoval) continue
      bytes -= sizeOfEntry(entry)
      entry.data = isRemoval ? null : data
      if (!isRemoval) entry.isFor = isFor
      bytes += sizeOfEntry(entry)
    }
  }
  return {
    append: (added: readonly StreamEntry[]): void => {
      for (const entry of added) {
        replaceEarlier(entry)
        entries.push(entry)
        bytes += sizeOfEntry(entry)
      }
      dropOldest()
    },
    /** What a reader at this position gets next, about `maxBytes`; undefined if the ring no longer has it all. */
    after: (position: number, filter: StreamFilter, maxBytes: number): RingPart | undefined => {
      const first = entries[0]
      if (!first || position < first.position - 1) return undefined
      const chosen: StreamEntry[] = []
      let [size, reached] = [0, position]
      for (let at = position - first.position + 1; at < entries.length && size < maxBytes; at++) {
        const entry = entries[at] as StreamEntry
        reached = entry.position
        if (!entry.data || !entry.isFor(filter)) continue
        chosen.push(entry)
        size += sizeOfEntry(entry)
      }
      return { bytes: bytesOfEntries(chosen), position: reached, events: chosen.length }
    },
    clear: (): void => {
      entries = []
      bytes = 0
    },
    bytes: () => bytes,
  }
}
