import { policyCategoryIds } from './category.ts'
import type { Counts } from './moderation-counts.ts'

type Decider = 'automated' | 'person'

/** All decisions but those that only hand a case to a person. */
export const decidedBy = (counts: Counts, by: Decider): number =>
  refusedBy(counts, by) +
  takenDownBy(counts, by) +
  counts[`decisions_publish_${by}`] +
  counts[`decisions_restore_${by}`]

export const refusedBy = (counts: Counts, by: Decider): number =>
  counts[`decisions_low_quality_${by}`] + counts[`decisions_abuse_${by}`]

export const takenDownBy = (counts: Counts, by: Decider): number => counts[`decisions_remove_${by}`]

export const reportsIn = (counts: Counts): number =>
  policyCategoryIds.reduce((sum, category) => sum + counts[`reports_${category}`], counts.reports_other)

/** `43 of 50 (86 %)`; of none there is no share. */
export function shareOf(part: number, whole: number): string {
  const [shown, all] = [part, whole].map((count) => count.toLocaleString('en'))
  return whole === 0 ? 'none' : `${shown} of ${all} (${Math.round((100 * part) / whole)} %)`
}
