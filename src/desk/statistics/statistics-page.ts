import { type DeskStatistics, readDeskStatistics } from '../../cases/statistics/desk-statistics.ts'
import { utcDay } from '../../contract/utc-day.ts'
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
    title: 'A text that must never be published would have been',
    says: 'The stages let it pass today, and may let posts like it pass. Tell whoever runs the service now: the runbook of moderation says what to do.',
  },
  stale: {
    title: 'The canaries have not run for more than a day and a half',
    says: 'They run once a day. Nobody knows whether the stages still see what they must: tell whoever runs the service.',
  },
  not_judged: {
    title: 'The model gives no answer to the canaries',
    says: 'On two days in a row not all of them could be judged. Posts may be waiting, too: tell whoever runs the service.',
  },
}

/** How the daily test went: in red when somebody must act. */
export function canariesNotice(runs: readonly KeptRun[], now: Date): Html {
  const [newest] = runs
  if (!newest)
    return html`<p class="small after">The canaries, texts that must never be published, have not run yet.</p>`
  const { judged, not_judged, published, published_ids, at } = newest
  const alarm = alarmOf(runs, now)
  const figures = html`Of ${judged + not_judged} canaries ${judged} were judged and ${published} would have been published, !${when(at)}.`
  if (!alarm) return html`<p class="small after">!${figures}</p>`
  const { title, says } = alarms[alarm]
  return html`<div class="notice bad"><h2>${title}</h2><p>${says}</p><p>!${figures}!${published > 0 ? html` <code>${published_ids.join(', ')}</code>` : ''}</p></div>`
}

const usualDays = 30

/** Days as the browser sends them; the last is in it. */
export type Wanted = { since: string; until: string }

type Filling = { csrf: string; at: Date; wanted?: Wanted; faults?: FormErrors }

/** Asks for every decision of some days as a file. */
export function exportForm({ csrf, at, wanted = usualWanted(at), faults = {} }: Filling): Html {
  return html`<section class="narrow"><h2>Every decision as a file</h2>
<p>One line of JSON for each decision, the oldest first; days are of UTC. <code>moderation</code> is what was decided on a post, by the model or by a person: outcome, category, scores, who decided, and what became of it on appeal. <code>desk</code> is what one of you answered here, also where it changed nothing: case, verdict, seconds, effect. An answer that changed a post is there as both, with the same post, edit and person. No text of any user is in it. That you took it is written to the log.</p>
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

/** The page, with the form for an export as it was sent, if one was. */
export async function statisticsPage(asked: DeskRequest<'lead', unknown>, filled?: Filled): Promise<Shown> {
  const { db, clock, csrf, query } = asked
  const at = clock.now()
  const days = spans.find((span) => String(span) === query['days']) ?? usualSpan
  const numbers = await readDeskStatistics(db, { days, at })
  const canaries = canariesNotice(await readCanaryRuns(db), at)
  const form = exportForm({ csrf, at, ...filled })
  return showDeskPage(asked, {
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

const hasHappened = ({ days, undone }: DeskStatistics) =>
  undone > 0 ||
  days.some(({ decided, counts }) => [...Object.values(decided), ...Object.values(counts)].some((count) => count > 0))

const nothingYet = (days: number): Html =>
  html`<div class="empty"><p>Nothing was decided in the last ${days} days</p><p>What the model and people decide will be counted here, day by day.</p></div>`

const happened = (numbers: DeskStatistics, days: number): Html => html`!${paceTiles(numbers)}
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
