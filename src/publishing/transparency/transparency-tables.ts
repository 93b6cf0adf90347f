import { utcDate } from '../../kinds/presentation/dates.ts'
import { type Html, html } from '../../markup/html.ts'
import {
  type Counts,
  countRefusedBy,
  decidedBy,
  reportsIn,
  shareOfTotal,
  takenDownBy,
} from '../../policy/moderation-counts.ts'
import { policy } from '../../policy/policy.ts'
import { numbersTable } from './numbers-table.ts'
import type { CountedDay, TransparencyView } from './read-days.ts'

/** The rows of the summary, in the order of a post's lifecycle. */
const summary: readonly [label: string, of: (counts: Counts) => number | string][] = [
  ['Posts submitted', (counts) => counts.posts_submitted],
  ['Posts published', (counts) => counts.posts_published],
  ['Sent to a person by the model', (counts) => counts.decisions_review_automated],
  ['Rejected by the model', (counts) => countRefusedBy(counts, 'automated')],
  ['Rejected by a person', (counts) => countRefusedBy(counts, 'person')],
  ['Taken down after publication', (counts) => takenDownBy(counts, 'automated') + takenDownBy(counts, 'person')],
  ['Reports received', reportsIn],
  ['Report cases: post removed', (counts) => counts.cases_removed],
  ['Report cases: dismissed', (counts) => counts.cases_dismissed],
  ['Report cases: deleted by the author', (counts) => counts.cases_withdrawn],
  ['Appeals filed', (counts) => counts.appeals_filed],
  ['Appeals: decision overturned', (counts) => counts.appeals_upheld],
  ['Appeals: decision kept', (counts) => counts.appeals_dismissed],
  ['Decisions by the model reversed', (counts) => counts.overturned_automated],
  ['Decisions by a person reversed', (counts) => counts.overturned_person],
  [
    'Reviews in which person and model agreed',
    (counts) => shareOrDash(counts.opinions_agreed, counts.opinions_compared),
  ],
  ['Reviews decided within 24 hours', (counts) => shareOrDash(counts.reviews_within_24h, counts.reviews_decided)],
]

export const summaryTable = ({ last30, last90, all }: TransparencyView['totals']): Html =>
  numbersTable(
    'Moderation in the last 30 days, the last 90 days and since the start',
    ['', 'Last 30 days', 'Last 90 days', 'All time'],
    summary.map(([label, of]) => [html`${label}`, ...[last30, last90, all].map((counts) => shown(of(counts)))]),
  )

/** One row for each policy category, and one for reports of something else. */
export function categoryTable(counts: Counts): Html {
  const rows = policy.categories.map(({ id, title }) => [
    html`<a href="/policy/#${id}">${title}</a>`,
    shown(counts[`rejections_${id}_automated`]),
    shown(counts[`rejections_${id}_person`]),
    shown(counts[`removals_${id}`]),
    shown(counts[`reports_${id}`]),
  ])
  return numbersTable(
    'Rejections, removals and reports in the last 90 days by category',
    ['Category', 'Rejected by the model', 'Rejected by a person', 'Taken down', 'Reported'],
    [...rows, ['Something else', '', '', '', shown(counts.reports_other)]],
  )
}

/** Days with activity, latest first. */
export function dayTable(days: readonly CountedDay[]): Html {
  const rows = days
    .map(({ day, counts, review_hours_median, review_hours_p90 }) => ({
      day,
      numbers: [
        counts.posts_submitted,
        counts.posts_published,
        decidedBy(counts, 'automated'),
        decidedBy(counts, 'person'),
        countRefusedBy(counts, 'automated') + countRefusedBy(counts, 'person'),
        takenDownBy(counts, 'automated') + takenDownBy(counts, 'person'),
        reportsIn(counts),
        counts.appeals_filed,
      ],
      hours: review_hours_median === null ? '–' : `${review_hours_median} / ${review_hours_p90}`,
    }))
    .filter(({ numbers }) => numbers.some((count) => count > 0))
    .toReversed()
  return numbersTable(
    'Each day, newest first. Days without activity are omitted.',
    [
      'Day',
      'Submitted',
      'Published',
      'By the model',
      'By a person',
      'Rejected',
      'Taken down',
      'Reports',
      'Appeals',
      'Hours',
    ],
    rows.map(({ day, numbers, hours }) => [utcDate(day), ...numbers.map(shown), html`${hours}`]),
  )
}

const shareOrDash = (part: number, whole: number) => (whole === 0 ? '–' : shareOfTotal(part, whole))

const shown = (value: number | string): Html => html`${value.toLocaleString('en')}`
