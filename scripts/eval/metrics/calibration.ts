import type { Scored } from './average-precision.ts'

const bins = 10

/**
 * How far scores are from the shares they announce: the difference in each of ten bins of equal width, weighted by how
 * many fall into it. 0 is perfect. Null of none.
 */
export function calibrationError(scored: readonly Scored[]): number | null {
  if (scored.length === 0) return null
  const sums = Array.from({ length: bins }, () => ({ announced: 0, positives: 0 }))
  for (const { score, positive } of scored) {
    const bin = sums[Math.min(bins - 1, Math.floor(score * bins))]
    if (!bin) throw new Error('A score lies outside 0 to 1.')
    bin.announced += score
    bin.positives += Number(positive)
  }
  // The weight of a bin cancels the count that its two means are divided by.
  return sums.reduce((error, bin) => error + Math.abs(bin.announced - bin.positives), 0) / scored.length
}
