import type { Random } from '../../../tooling/random.ts'

export type Zipf = {
  draw: (random: Random) => number
  /** The probability of drawing this rank. */
  shareOf: (rank: number) => number
}

/**
 * Random ranks from 0, each less likely than the previous one: the n-th has a weight of 1/n^s. A draw takes constant
 * time.
 */
export function zipf(count: number, s: number): Zipf {
  const weights = Float64Array.from({ length: count }, (_, rank) => (rank + 1) ** -s)
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  const { keep, other } = aliasTable(weights, total)
  return {
    draw: (random) => {
      const rank = random.below(count)
      return random.below(2 ** 30) < Number(keep[rank]) ? rank : Number(other[rank])
    },
    shareOf: (rank) => Number(weights[rank]) / total,
  }
}

/** Vose's alias method: every rank keeps part of its probability and gives the rest to one other rank. */
function aliasTable(weights: Float64Array, total: number) {
  const count = weights.length
  const scaled = weights.map((weight) => (weight * count) / total)
  const [keep, other] = [new Float64Array(count).fill(2 ** 30), new Uint32Array(count)]
  const [small, large]: [number[], number[]] = [[], []]
  for (const [rank, share] of scaled.entries()) (share < 1 ? small : large).push(rank)
  while (small.length > 0 && large.length > 0) {
    const [less, more] = [Number(small.pop()), Number(large.pop())]
    keep[less] = Number(scaled[less]) * 2 ** 30
    other[less] = more
    scaled[more] = Number(scaled[more]) + Number(scaled[less]) - 1
    ;(Number(scaled[more]) < 1 ? small : large).push(more)
  }
  return { keep, other }
}
