import type { DecisionOutcome, ReportOutcome } from '../../generated/database-types.ts'
import { type PolicyCategoryId, policyCategoryIds } from './category.ts'

type Decider = 'automated' | 'person'
type Wait = '1h' | '4h' | '24h' | '72h'

/** Every number that is stored per day. The names are published, so the meaning of a name never changes. */
type CountName =
  | 'posts_submitted'
  | 'posts_published'
  | `decisions_${DecisionOutcome}_${Decider}`
  | `rejections_${PolicyCategoryId}_${Decider}`
  | `removals_${PolicyCategoryId}`
  | `reports_${PolicyCategoryId | 'other'}`
  | `cases_${ReportOutcome}`
  | `appeals_${'filed' | 'upheld' | 'dismissed'}`
  | `overturned_${Decider}`
  | `opinions_${'compared' | 'agreed'}`
  | 'reviews_decided'
  | `reviews_within_${Wait}`
  | `audits_${'published' | 'rejected'}_${'right' | 'wrong'}`

export type Counts = Record<CountName, number>

type CountFamily = {
  /** The pattern of the names. */
  form: string
  /** What the numbers count, for readers of the page. */
  counts: string
  names: readonly CountName[]
}

const outcomes: readonly DecisionOutcome[] = ['publish', 'low_quality', 'abuse', 'review', 'remove', 'restore']
const deciders: readonly Decider[] = ['automated', 'person']
const caseOutcomes: readonly ReportOutcome[] = ['removed', 'dismissed', 'withdrawn']

/** Upper bounds for waiting times, in hours. Longer waits are in none of them. */
export const waitHours: Readonly<Record<Wait, number>> = { '1h': 1, '4h': 4, '24h': 24, '72h': 72 }

export const countFamilies: readonly CountFamily[] = [
  { form: 'posts_submitted', counts: 'Posts submitted and charged.', names: ['posts_submitted'] },
  { form: 'posts_published', counts: 'Posts published for the first time.', names: ['posts_published'] },
  {
    form: 'decisions_{outcome}_{automated|person}',
    counts:
      'Decisions on posts and on edits. publish; low_quality and abuse are rejections; review passes the case to a person; ' +
      'remove removes a published post; restore reverses a rejection or a removal.',
    names: outcomes.flatMap((outcome) => deciders.map((by) => `decisions_${outcome}_${by}` as const)),
  },
  {
    form: 'rejections_{category}_{automated|person}',
    counts: 'Rejections of posts and edits, by policy category.',
    names: policyCategoryIds.flatMap((category) => deciders.map((by) => `rejections_${category}_${by}` as const)),
  },
  {
    form: 'removals_{category}',
    counts: 'Published posts that were removed, by policy category.',
    names: policyCategoryIds.map((category) => `removals_${category}` as const),
  },
  {
    form: 'reports_{category|other}',
    counts: 'Reports received, by the category the reporter chose. A post can have several.',
    names: [...policyCategoryIds, 'other' as const].map((category) => `reports_${category}` as const),
  },
  {
    form: 'cases_{outcome}',
    counts:
      'Report cases closed: the post was removed, the reports were dismissed, or the author had withdrawn ' +
      'the post. All open reports about a post form one case.',
    names: caseOutcomes.map((outcome) => `cases_${outcome}` as const),
  },
  {
    form: 'appeals_{filed|upheld|dismissed}',
    counts: 'Appeals filed, and appeals decided by a person for or against the author.',
    names: ['appeals_filed', 'appeals_upheld', 'appeals_dismissed'],
  },
  {
    form: 'overturned_{automated|person}',
    counts: 'Rejections and removals that were reversed, with or without an appeal, by who had made the decision.',
    names: deciders.map((by) => `overturned_${by}` as const),
  },
  {
    form: 'opinions_{compared|agreed}',
    counts:
      'Cases that the model sent to a person while leaning towards publishing or rejecting, and how many of ' +
      'them the person decided the same way.',
    names: ['opinions_compared', 'opinions_agreed'],
  },
  {
    form: 'reviews_decided, reviews_within_{1h|4h|24h|72h}',
    counts:
      'Review cases that a person decided on that day, and how many had waited at most the given number of hours.',
    names: ['reviews_decided', ...(Object.keys(waitHours) as Wait[]).map((wait) => `reviews_within_${wait}` as const)],
  },
  {
    form: 'audits_{published|rejected}_{right|wrong}',
    counts:
      'Automated decisions that were sampled at random and that a person reviewed on that day: what happened to ' +
      'the post, and whether that was right. The sample includes more of the publications that the stages were less sure about.',
    names: ['audits_published_right', 'audits_published_wrong', 'audits_rejected_right', 'audits_rejected_wrong'],
  },
]

const countNames = countFamilies.flatMap(({ names }) => names)

export const noCounts = (): Counts => Object.fromEntries(countNames.map((name) => [name, 0])) as Counts

/** Adds up the counts by name. Unknown names from an older version are kept. */
export function addCounts(all: readonly Partial<Counts>[]): Counts {
  const sums = noCounts()
  for (const counts of all)
    for (const [name, count] of Object.entries(counts) as [CountName, number][]) sums[name] = (sums[name] ?? 0) + count
  return sums
}

type DecidedBy = 'automated' | 'person'

/** All decisions except those that only send a case to a person. */
export const decidedBy = (counts: Counts, by: DecidedBy): number =>
  countRefusedBy(counts, by) +
  takenDownBy(counts, by) +
  counts[`decisions_publish_${by}`] +
  counts[`decisions_restore_${by}`]

export const countRefusedBy = (counts: Counts, by: DecidedBy): number =>
  counts[`decisions_low_quality_${by}`] + counts[`decisions_abuse_${by}`]

/** Rejections and removals for a category. */
export const countDecisionsFor = (counts: Counts, category: PolicyCategoryId): number =>
  counts[`rejections_${category}_automated`] + counts[`rejections_${category}_person`] + counts[`removals_${category}`]

export const takenDownBy = (counts: Counts, by: DecidedBy): number => counts[`decisions_remove_${by}`]

export const reportsIn = (counts: Counts): number =>
  policyCategoryIds.reduce((sum, category) => sum + counts[`reports_${category}`], counts.reports_other)

/** `43 of 50 (86%)`; without a share if the total is zero. */
export function shareOfTotal(part: number, whole: number): string {
  const [shown, all] = [part, whole].map((count) => count.toLocaleString('en'))
  return whole === 0 ? 'none' : `${shown} of ${all} (${Math.round((100 * part) / whole)}%)`
}
