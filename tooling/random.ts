import { crc32 } from 'node:zlib'

export type Random = ReturnType<typeof randomFor>

/** Reproducible randomness: the same seed and index give the same numbers on every machine. */
export function randomFor(seed: number, index: number) {
  let state = crc32(`${seed}:${index}`)
  /** Mulberry32: small, fast and uniform enough for choosing test data. */
  function fraction(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number) => Math.floor(fraction() * limit)
  return {
    /** A whole number from 0 up to, but not including, the limit. */
    below,
    chance: (share: number) => fraction() < share,
    pick<Item>(items: readonly Item[]): Item {
      const item = items[below(items.length)]
      if (item === undefined) throw new Error('Cannot pick from an empty list.')
      return item
    },
    bytes: (length: number) => Buffer.from(Array.from({ length }, () => below(256))),
  }
}
