/** Numbers from 0 up to, but not including, 1 that depend only on the seed (mulberry32). */
export function chance(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let value = Math.imul(state ^ (state >>> 15), 1 | state)
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** A copy in an order that depends only on the seed. */
export function shuffled<T>(list: readonly T[], seed: number): T[] {
  const copy = [...list]
  shuffleInPlace(copy, chance(seed))
  return copy
}

/** Fisher-Yates shuffle. */
export function shuffleInPlace<T>(list: T[], next: () => number): void {
  for (let index = list.length - 1; index > 0; index--) {
    const other = Math.floor(next() * (index + 1))
    const kept = list[index] as T
    list[index] = list[other] as T
    list[other] = kept
  }
}
