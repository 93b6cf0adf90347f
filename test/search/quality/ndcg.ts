/** By what a person would say of each result: 3 exactly this, 2 relevant, 1 in passing; what is not named is 0. */
export type Grades = Readonly<Record<string, number>>

/** How near an order comes to the best one in its first ten places: 1 is the best, 0 has nothing that was wanted. */
export function ndcgAtTen(found: readonly string[], grades: Grades): number {
  const best = discountedGain(Object.values(grades).sort((one, other) => other - one))
  return best === 0 ? 0 : discountedGain(found.map((id) => grades[id] ?? 0)) / best
}

const places = 10

/** Each grade more is worth more than twice as much, and each place further down is looked at less. */
const discountedGain = (grades: readonly number[]): number =>
  grades.slice(0, places).reduce((sum, grade, index) => sum + (2 ** grade - 1) / Math.log2(index + 2), 0)
