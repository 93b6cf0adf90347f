import { learntCategories } from '../../server/local/local-model.ts'
import type { Labels } from '../data/rows.ts'

/** The maximum weight. A higher one would raise too many false alarms in rare categories. */
const mostWeight = 5

/** The extra weight of violating rows in each category, without which rare categories would not be learnt. */
export function weighPositives(examples: readonly { labels: Labels }[]): number[] {
  return learntCategories.map((category) => {
    const known = examples.filter(({ labels }) => labels[category] !== undefined)
    const positive = known.filter(({ labels }) => labels[category] === 1).length
    return positive === 0 ? 1 : Math.min(mostWeight, Math.sqrt((known.length - positive) / positive))
  })
}
