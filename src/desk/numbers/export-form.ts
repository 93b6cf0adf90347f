import { utcDay } from '../../contract/utc-day.ts'
import { type Html, html } from '../../markup/html.ts'
import { csrfField, described, notes } from '../../page-door/form.ts'
import type { Faults } from '../../page-door/route.ts'

const usualDays = 30

/** Days as the browser sends them; the last is in it. */
export type Wanted = { since: string; until: string }

type Filling = { csrf: string; at: Date; wanted?: Wanted; faults?: Faults }

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

const dayField = (name: keyof Wanted, label: string, wanted: Wanted, faults: Faults): Html =>
  html`<div class="field"><label for="${name}">${label}</label>
<input type="date" id="${name}" name="${name}" value="${wanted[name]}" required !${described(name, { error: faults[name] })}>
!${notes(name, { error: faults[name] })}</div>`
