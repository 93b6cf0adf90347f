import { caseKinds } from '../../cases/case-kinds.ts'
import type { DayOfWork } from '../../cases/statistics/desk-statistics.ts'
import { barChart } from '../../markup/bar-chart.ts'
import { shortDay } from '../../markup/dates.ts'
import { type Html, html } from '../../markup/html.ts'
import { decidedBy } from '../../policy/moderation-counts.ts'
import { kindWords } from '../case/labels.ts'
import { numberTable } from './tables.ts'

const kindTitles = caseKinds.map((kind) => kindWords[kind].title)
const deciders = ['by the model', 'by people']

/** Decisions per day, as charts and as a table. */
export function charts(days: readonly DayOfWork[]): Html {
  const shown = days.map((one) => ({
    label: dayOf(one.day),
    ofDesk: caseKinds.map((kind) => one.decided[kind]),
    ofAll: [decidedBy(one.counts, 'automated'), decidedBy(one.counts, 'person')],
  }))
  const ofDesk = shown.map(({ label, ofDesk: values }) => ({ label, values }))
  const ofAll = shown.map(({ label, ofAll: values }) => ({ label, values }))
  const rows = shown
    .filter((one) => [...one.ofDesk, ...one.ofAll].some((count) => count > 0))
    .toReversed()
    .map((one) => [one.label, ...one.ofDesk, ...one.ofAll])
  return html`!${barChart({ id: 'desk', title: 'Cases decided at the desk', series: kindTitles, bars: ofDesk })}
<div class="deciders">!${barChart({ id: 'all', title: 'All decisions on posts', series: deciders, bars: ofAll })}</div>
<details><summary>Show as a table</summary><p class="small">Newest day first. Days without decisions are omitted.</p>!${numberTable(
    {
      caption: 'Decisions by day',
      head: ['Day', ...kindTitles, 'By the model', 'By people'],
      rows,
    },
  )}</details>`
}

/** `15 Nov`: unique within the longest span. The non-breaking space keeps a table row on one line. */
const dayOf = (day: string) => shortDay(new Date(day)).split(' ').slice(0, 2).join('\u00a0')
