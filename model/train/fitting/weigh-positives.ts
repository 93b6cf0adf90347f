import { learntCategories } from '../../server/local/local-model.ts'
import type { Labels } from '../data/rows.ts'

/** Beyond this, rare categories would raise too many false alarms. */
const mostWeight = 5

/** The extra weight of a violating row of each category, so that rare categories are learnt at all. */
export function weighPositives(examples: readonly { labels: Labels }[]): number[] {
  return learntCategories.map((category) => {
    const known = examples.filter(({ labels }) => labels[category] !== undefined)
    const positive = known.filter(({ labels }) => labels[category] === 1).length
    return positive === 0 ? 1 : Math.min(mostWeight, Math.sqrt((known.length - positive) / positive))
  })
}
