/** One thing that was scored, and whether it is what the score looks for. */
export type Scored = { score: number; positive: boolean }

/**
 * The area under the curve of precision over recall, by steps: the precision at each positive, averaged. Things of the
 * same score enter together, so that their order cannot matter. Null without a positive.
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

/** How much of what is flagged is right, and how much of what is right is flagged. Null where there is nothing to divide by. */
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
