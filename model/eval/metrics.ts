import { randomFor } from '../../tooling/random.ts'

/** A share of n items, with its 95 % interval. */
export type Share = { share: number; low: number; high: number; n: number }

/** The share of true values; null for an empty list. */
export function shareOf(holds: readonly boolean[]): Share | null {
  const n = holds.length
  if (n === 0) return null
  const share = meanOf(holds)
  // Resampling a set without positives always gives a share of zero, so an exact bound is used instead.
  const unseen = 1 - 0.025 ** (1 / n)
  if (share === 0) return { share, low: 0, high: unseen, n }
  if (share === 1) return { share, low: 1 - unseen, high: 1, n }
  const interval = bootstrap(holds, meanOf)
  return { share, low: interval?.low ?? share, high: interval?.high ?? share, n }
}

const meanOf = (holds: readonly boolean[]) => holds.filter(Boolean).length / holds.length

/** A score, and whether the item is positive. */
export type Scored = { score: number; positive: boolean }

/**
 * The area under the precision-recall curve, in steps: the mean precision over all positives. Items with equal scores
 * count together, so that their order does not matter. Null if there is no positive.
 */
export function averagePrecision(scored: readonly Scored[]): number | null {
  const positives = scored.filter(({ positive }) => positive).length
  if (positives === 0) return null
  const sorted = [...scored].sort((one, other) => other.score - one.score)
  let area = 0
  let found = 0
  for (let from = 0; from < sorted.length; ) {
    let to = from
    let foundHere = 0
    for (; sorted[to]?.score === sorted[from]?.score && to < sorted.length; to++) if (sorted[to]?.positive) foundHere++
    found += foundHere
    area += (foundHere / positives) * (found / to)
    from = to
  }
  return area
}

/**
 * The share of flagged items that are positive, and the share of positives that are flagged. Null if the divisor is
 * zero.
 */
export function precisionAndRecall(flagged: readonly { flagged: boolean; positive: boolean }[]): {
  precision: number | null
  recall: number | null
} {
  const right = flagged.filter((one) => one.flagged && one.positive).length
  const allFlagged = flagged.filter((one) => one.flagged).length
  const positives = flagged.filter(({ positive }) => positive).length
  return {
    precision: allFlagged === 0 ? null : right / allFlagged,
    recall: positives === 0 ? null : right / positives,
  }
}

const bins = 10

/**
 * The difference between scores and observed shares in each of ten bins of equal width, weighted by bin size. 0 is
 * perfect. Null for an empty list.
 */
export function calibrationError(scored: readonly Scored[]): number | null {
  if (scored.length === 0) return null
  const sums = Array.from({ length: bins }, () => ({ announced: 0, positives: 0 }))
  for (const { score, positive } of scored) {
    const bin = sums[Math.min(bins - 1, Math.floor(score * bins))]
    if (!bin) throw new Error('A score is not between 0 and 1.')
    bin.announced += score
    bin.positives += Number(positive)
  }
  // The bin's weight cancels the count by which both of its means are divided.
  return sums.reduce((error, bin) => error + Math.abs(bin.announced - bin.positives), 0) / scored.length
}

export type Interval = { low: number; high: number }

/**
 * The number of samples with replacement. A thousand give the ends of a 95 % interval to about a third of a percentage
 * point.
 */
export const resamples = 1_000
const seed = 10

/**
 * The middle 95 % of a figure over samples drawn with replacement, the same in every run; a larger `tail` cuts off
 * more. Samples for which the figure is undefined are ignored. Null if it is undefined for all.
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

/** A quantile of sorted numbers, interpolated between two of them. */
export function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1)
  const below = sorted[Math.floor(place)] ?? Number.NaN
  const above = sorted[Math.ceil(place)] ?? Number.NaN
  return below + (above - below) * (place - Math.floor(place))
}
