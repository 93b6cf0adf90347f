import { randomFor } from '../../fuzz/random.ts'

export type Interval = { low: number; high: number }

/** Drawings with replacement. A thousand give the ends of a 95 % interval to about a third of a point. */
export const resamples = 1_000
const seed = 10

/**
 * The middle 95 % of a figure over sets that are drawn from the items with replacement, the same ones in every run; less
 * of the middle with a larger `tail`. A drawing for which the figure does not exist does not count; null when none does.
 */
export function bootstrap<Item>(
  items: readonly Item[],
  figure: (drawn: readonly Item[]) => number | null,
  tail = 0.025,
): Interval | null {
  if (items.length === 0) return null
  const figures: number[] = []
  for (let round = 0; round < resamples; round++) {
    const random = randomFor(seed, round)
    const value = figure(items.map(() => random.pick(items)))
    if (value !== null) figures.push(value)
  }
  if (figures.length === 0) return null
  figures.sort((one, other) => one - other)
  return { low: quantile(figures, tail), high: quantile(figures, 1 - tail) }
}

/** A quantile of sorted numbers, between two of them where it falls between. */
export function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}
