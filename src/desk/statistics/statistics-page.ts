import { type DeskStatistics, readDeskStatistics } from '../../cases/statistics/desk-statistics.ts'
import { utcDay } from '../../contract/time/utc-day.ts'
import { type Html, html } from '../../markup/html.ts'
import { alarmOf, type CanaryAlarm, type KeptRun, readCanaryRuns } from '../../moderation/canaries/canary-runs.ts'
import { when } from '../../web-pages/elements.ts'
import { csrfField, described, notes } from '../../web-pages/form.ts'
import type { FormErrors } from '../../web-pages/route.ts'
import { showDeskPage } from '../layout.ts'
import { type DeskRequest, defineDeskRoute, type Shown } from '../route.ts'
import { charts } from './charts.ts'
import { agreementCard, appealsCard, auditsCard, categoriesTable, checksCard, waitsCard } from './tables.ts'
import { paceTiles, queueTiles } from './tiles.ts'

const alarms: Record<CanaryAlarm, { title: string; says: string }> = {
  published: {
    title: 'A text that must never be published would have been published',
    says: 'Moderation let it pass today and may let similar posts pass. Tell the operator now. The moderation runbook explains what to do.',
  },
  stale: {
    title: 'The canaries have not run for over 36 hours',
    says: 'They should run once a day. Until they do, we do not know whether moderation still works. Tell the operator.',
  },
  not_judged: {
    title: 'The model did not judge all canaries',
    says: 'On two days in a row, some canaries could not be judged. Posts may be waiting, too. Tell the operator.',
  },
}

/** The result of the last canary run, as an alarm if someone must act. */
export function canariesNotice(runs: readonly KeptRun[], now: Date): Html {
  const [newest] = runs
  if (!newest)
    return html`<p class="small after">The canaries (texts that must never be published) have not run yet.</p>`
  const { judged, not_judged, published, published_ids, at } = newest
  const alarm = alarmOf(runs, now)
  const figures = html`Last run !${when(at)}: of ${judged + not_judged} canaries, ${judged} were judged and ${published} would have been published.`
  if (!alarm) return html`<p class="small after">!${figures}</p>`
  const { title, says } = alarms[alarm]
  return html`<div class="notice bad"><h2>${title}</h2><p>${says}</p><p>!${figures}!${published > 0 ? html` <code>${published_ids.join(', ')}</code>` : ''}</p></div>`
}

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
  const { result, asOf } = await statisticsReader.read(async (db) => ({
    numbers: await readDeskStatistics(db, { days, at }),
    runs: await readCanaryRuns(db),
  }))
  const { numbers } = result
  const canaries = canariesNotice(result.runs, at)
  const form = exportForm({ csrf, at, ...filled })
  return showDeskPage(asked, {
    title: 'Numbers',
    section: 'numbers',
    status: filled ? 422 : 200,
    content: html`<h1>Numbers</h1>
<section><h2>Waiting now</h2>!${queueTiles(numbers.queue, at)}!${canaries}!${asOfNotice(asOf, at)}</section>
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

const happened = (numbers: DeskStatistics, days: number): Html => html`!${paceTiles(numbers)}
!${charts(numbers.days)}
<p class="small after">Days are in UTC, and today is incomplete. The first chart shows this desk; the second includes the operator’s decisions from the command line. Nothing is counted per person: these statistics describe the work and do not rank people.</p>
<div class="grid later">
!${agreementCard(numbers.leanings)}
!${appealsCard(numbers.appeals)}
!${checksCard(numbers.checks)}
!${auditsCard(numbers.audits)}
!${waitsCard(numbers.pace.waited)}
</div>
<section><h2>By category</h2>
<p class="small">The last ${days} days. “Suspected” counts how often the model sent a post to a person and named this category. “Overturned” counts rejections and removals that an appeal, a check or the operator reversed.</p>
!${categoriesTable(numbers)}</section>`
