import { type DeskStatistics, readDeskStatistics } from '../../cases/statistics/desk-statistics.ts'
import { utcDay } from '../../contract/time/utc-day.ts'
import { type Html, html } from '../../markup/html.ts'
import { csrfField, described, notes } from '../../web-pages/form.ts'
import type { FormErrors } from '../../web-pages/route.ts'
import { showDeskPage } from '../layout.ts'
import { type DeskRequest, defineDeskRoute, type Shown } from '../route.ts'
import { agreementCard, appealsCard, auditsCard, categoriesTable, checksCard, waitsCard } from './tables.ts'
import { daysTable, queueTable, workCard } from './work-tables.ts'

const usualDays = 30

/** Days as the browser sends them; `until` is inclusive. */
export type Wanted = { since: string; until: string }

type Filling = { csrf: string; at: Date; wanted?: Wanted; faults?: FormErrors }

/** The form that exports all decisions in a range of days. */
export function exportForm({ csrf, at, wanted = usualWanted(at), faults = {} }: Filling): Html {
  return html`<section class="narrow"><h2>Export decisions</h2>
<p>One line of JSON per decision, oldest first. Days are in UTC. A <code>moderation</code> line is a decision on a post, by the model or a person: outcome, category, scores, who decided, and the result of an appeal. A <code>desk</code> line is a decision made at the desk, even if it changed nothing: case, verdict, seconds, effect. A decision at the desk that changed a post appears as both, with the same post, edit and person. The file contains no user text. The log records each export.</p>
<form method="post" action="/numbers/decisions">!${csrfField(csrf)}
<div class="fields">!${dayField('since', 'First day', wanted, faults)}!${dayField('until', 'Last day', wanted, faults)}</div>
<button class="button quiet" type="submit">Download as NDJSON</button></form></section>`
}

function usualWanted(at: Date): Wanted {
  return { since: utcDay(new Date(at.getTime() - (usualDays - 1) * 86_400_000)), until: utcDay(at) }
}

const dayField = (name: keyof Wanted, label: string, wanted: Wanted, faults: FormErrors): Html =>
  html`<div class="field"><label for="${name}">${label}</label>
<input type="date" id="${name}" name="${name}" value="${wanted[name]}" required !${described(name, { error: faults[name] })}>
!${notes(name, { error: faults[name] })}</div>`

export const showStatistics = defineDeskRoute({
  method: 'GET',
  path: '/numbers',
  needs: 'lead',
  answer: (asked) => statisticsPage(asked),
})

const spans = [7, 30, 90] as const
const usualSpan = 30

type Filled = { wanted: Wanted; faults: FormErrors }

/** The page, with the submitted export form if it had errors. */
export async function statisticsPage(asked: DeskRequest<'lead', unknown>, filled?: Filled): Promise<Shown> {
  const { statisticsReader, clock, csrf, query } = asked
  const at = clock.now()
  const days = spans.find((span) => String(span) === query['days']) ?? usualSpan
  const { result: numbers, asOf } = await statisticsReader.read((db) => readDeskStatistics(db, { days, at }))
  const form = exportForm({ csrf, at, ...filled })
  return showDeskPage(asked, {
    title: 'Numbers',
    section: 'numbers',
    status: filled ? 422 : 200,
    content: html`<h1>Numbers</h1>
<section><h2>Waiting now</h2>!${queueTable(numbers.queue, at)}!${asOfNotice(asOf, at)}</section>
<section><div class="heading"><h2>The last ${days} days</h2>!${chooser(days)}</div>
!${hasHappened(numbers) ? happened(numbers, days) : nothingYet(days)}</section>
!${form}`,
  })
}

/** Says how old the numbers are, if they are not from this moment. */
function asOfNotice(asOf: Date, at: Date): Html {
  const seconds = Math.round((at.getTime() - asOf.getTime()) / 1_000)
  if (seconds <= 1) return ''
  return html`<p class="small after">The numbers on this page are <time datetime="${asOf.toISOString()}">${seconds} seconds</time> old.</p>`
}

const chooser = (chosen: number): Html =>
  html`<nav class="spans" aria-label="Period"><ul>!${spans
    .map(
      (span) =>
        html`<li><a href="/numbers?days=${span}"!${span === chosen ? html` aria-current="true"` : ''}>${span} days</a></li>`,
    )
    .join('')}</ul></nav>`

const hasHappened = ({ days, undone }: DeskStatistics) =>
  undone > 0 ||
  days.some(({ decided, counts }) => [...Object.values(decided), ...Object.values(counts)].some((count) => count > 0))

const nothingYet = (days: number): Html =>
  html`<div class="empty"><p>No decisions in the last ${days} days</p><p>Decisions by the model and by people will be counted here, day by day.</p></div>`

const happened = (numbers: DeskStatistics, days: number): Html => html`<div class="grid">
!${workCard(numbers)}
!${agreementCard(numbers.leanings)}
!${appealsCard(numbers.appeals)}
!${checksCard(numbers.checks)}
!${auditsCard(numbers.audits)}
!${waitsCard(numbers.pace.waited)}
</div>
<section><h2>Day by day</h2>
<p class="small">Days are in UTC, and today is incomplete. Nothing is counted per person: these statistics describe the work and do not rank people.</p>
!${daysTable(numbers.days)}</section>
<section><h2>By category</h2>
<p class="small">The last ${days} days. “Suspected” counts how often the model sent a post to a person and named this category. “Overturned” counts rejections and removals that an appeal, a check or the operator reversed.</p>
!${categoriesTable(numbers)}</section>`
