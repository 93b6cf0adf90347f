import { caseKinds } from '../../cases/case-kinds.ts'
import type { CaseCount } from '../../cases/queue.ts'
import { casesCounted, type DayOfWork, type DeskStatistics } from '../../cases/statistics/desk-statistics.ts'
import { shortDay } from '../../markup/dates.ts'
import { type Html, html } from '../../markup/html.ts'
import { decidedBy } from '../../policy/moderation-counts.ts'
import { kindWords, upTo } from '../case/labels.ts'
import { card, howLong, numberTable } from './tables.ts'

/** How many cases of each kind are waiting, and the age of the oldest. */
export function queueTable(queue: readonly CaseCount[], at: Date): Html {
  const overdue = queue.reduce((sum, one) => sum + one.overdue, 0)
  const table = numberTable({
    caption: 'Waiting cases by kind',
    head: ['Kind', 'Waiting', 'Oldest', 'Overdue'],
    rows: queue.map(({ kind, open, oldest, overdue: late }) => [
      `${kindWords[kind].title}: ${kindWords[kind].says}`,
      counted(open),
      oldest ? howLong((at.getTime() - oldest.getTime()) / 1_000) : '–',
      counted(late),
    ]),
  })
  return html`!${overdue > 0 ? overdueNotice(overdue) : ''}!${table}`
}

const counted = (count: number) => (count === 0 ? 0 : upTo(count, casesCounted))

const overdueNotice = (count: number): Html =>
  html`<div class="notice bad"><h2>!${count === 1 ? 'A case is' : `${upTo(count, casesCounted)} cases are`} overdue</h2>
<p>The model charged 10× the fee or banned an account, and nobody reviewed the decision within a day. Only urgent cases come before these in the queue: take one now, or ask a colleague to.</p></div>`

/** How many decisions there were, and how fast people decided at the desk. */
export function workCard({ days, totals, pace: { seconds }, undone }: DeskStatistics): Html {
  const atDesk = days.reduce((sum, one) => sum + Object.values(one.decided).reduce((all, count) => all + count, 0), 0)
  const pace = seconds
    ? html` It took them !${figure(howLong(seconds.median))} from claim to decision at the median, and !${figure(howLong(seconds.p95))} or less in 95% of the cases.`
    : ''
  return card(
    'Decisions',
    html`<p>The model made !${figure(decidedBy(totals, 'automated'))} of the decisions on posts, and people !${figure(decidedBy(totals, 'person'))}, here or from the command line.</p>
<p>At this desk, people decided !${figure(atDesk)} !${atDesk === 1 ? 'case' : 'cases'} and undid !${figure(undone)} within ten seconds.!${pace}</p>`,
  )
}

const figure = (value: number | string): Html => html`<strong>${value.toLocaleString('en')}</strong>`

const kindTitles = caseKinds.map((kind) => kindWords[kind].title)

/** Days with decisions, newest first, folded. */
export function daysTable(days: readonly DayOfWork[]): Html {
  const rows = days
    .map(({ day, decided, counts }) => ({
      day,
      numbers: [...caseKinds.map((kind) => decided[kind]), decidedBy(counts, 'automated'), decidedBy(counts, 'person')],
    }))
    .filter(({ numbers }) => numbers.some((count) => count > 0))
    .toReversed()
  return html`<details><summary>Show the days with decisions</summary>!${numberTable({
    caption: 'Decisions by day: cases at the desk by kind, and all decisions on posts',
    head: ['Day', ...kindTitles, 'By the model', 'By people'],
    rows: rows.map(({ day, numbers }) => [dayOf(day), ...numbers]),
  })}</details>`
}

/** `15 Nov`: unique within the longest span. The non-breaking space keeps a table row on one line. */
const dayOf = (day: string) => shortDay(new Date(day)).split(' ').slice(0, 2).join('\u00a0')
