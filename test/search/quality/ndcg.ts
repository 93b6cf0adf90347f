/** Human grades of each result: 3 exact, 2 relevant, 1 marginal; unlisted results are 0. */
export type Grades = Readonly<Record<string, number>>

/** How close an order is to the best one in its first ten places: 1 is the best, 0 has no relevant result. */
export function ndcgAtTen(found: readonly string[], grades: Grades): number {
  const best = discountedGain(Object.values(grades).sort((one, other) => other - one))
  return best === 0 ? 0 : discountedGain(found.map((id) => grades[id] ?? 0)) / best
}

const places = 10

/** Each higher grade counts more than twice as much, and each lower place counts less. */
const discountedGain = (grades: readonly number[]): number =>
  grades.slice(0, places).reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0)
