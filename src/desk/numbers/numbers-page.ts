import { type DeskNumbers, readDeskNumbers } from '../../cases/numbers.ts'
import { type Html, html } from '../../markup/html.ts'
import { readCanaryRuns } from '../../moderation/canaries/read-runs.ts'
import type { Faults } from '../../page-door/route.ts'
import { showPage } from '../layout.ts'
import { type Asked, defineRoute, type Shown } from '../route.ts'
import { canariesNotice } from './canaries-notice.ts'
import { charts } from './charts.ts'
import { exportForm, type Wanted } from './export-form.ts'
import { agreementCard, appealsCard, auditsCard, categoriesTable, checksCard, waitsCard } from './tables.ts'
import { paceTiles, queueTiles } from './tiles.ts'

export const showNumbers = defineRoute({
  method: 'GET',
  path: '/numbers',
  needs: 'lead',
  answer: (asked) => numbersPage(asked),
})

const spans = [7, 30, 90] as const
const usualSpan = 30

type Filled = { wanted: Wanted; faults: Faults }

/** The page, with the form for an export as it was sent, if one was. */
export async function numbersPage(asked: Asked<'lead', unknown>, filled?: Filled): Promise<Shown> {
  const { db, clock, csrf, query } = asked
  const at = clock.now()
  const days = spans.find((span) => String(span) === query['days']) ?? usualSpan
  const numbers = await readDeskNumbers(db, { days, at })
  const canaries = canariesNotice(await readCanaryRuns(db), at)
  const form = exportForm({ csrf, at, ...filled })
  return showPage(asked, {
    title: 'Numbers',
    section: 'numbers',
    status: filled ? 422 : 200,
    content: html`<h1>Numbers</h1>
<section><h2>What waits now</h2>!${queueTiles(numbers.queue, at)}!${canaries}</section>
<section><div class="heading"><h2>The last ${days} days</h2>!${chooser(days)}</div>
!${hasHappened(numbers) ? happened(numbers, days) : nothingYet(days)}</section>
!${form}`,
  })
}

const chooser = (chosen: number): Html =>
  html`<nav class="spans" aria-label="Period"><ul>!${spans
    .map(
      (span) =>
        html`<li><a href="/numbers?days=${span}"!${span === chosen ? html` aria-current="true"` : ''}>${span} days</a></li>`,
    )
    .join('')}</ul></nav>`

const hasHappened = ({ days, undone }: DeskNumbers) =>
  undone > 0 ||
  days.some(({ decided, counts }) => [...Object.values(decided), ...Object.values(counts)].some((count) => count > 0))

const nothingYet = (days: number): Html =>
  html`<div class="empty"><p>Nothing was decided in the last ${days} days</p><p>What the model and people decide will be counted here, day by day.</p></div>`

const happened = (numbers: DeskNumbers, days: number): Html => html`!${paceTiles(numbers)}
!${charts(numbers.days)}
<p class="small after">Days are of UTC, and today is not over. The first picture is of this desk; the second also has what the operator decided by command. Nobody is counted by name: these numbers are for the work, and not for ranking who does it.</p>
<div class="grid later">
!${agreementCard(numbers.leanings)}
!${appealsCard(numbers.appeals)}
!${checksCard(numbers.checks)}
!${auditsCard(numbers.audits)}
!${waitsCard(numbers.pace.waited)}
</div>
<section><h2>By category</h2>
<p class="small">Of the last ${days} days. “Suspected” is how often the model handed a post to a person and named it; “overturned” are refusals and removals that were taken back, by an appeal, a check or the operator.</p>
!${categoriesTable(numbers)}</section>`
