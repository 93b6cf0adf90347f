import { type Html, html } from '../../markup/html.ts'
import { longDate, longMonth } from '../presentation/dates.ts'
import { dayOf } from './occasion-text.ts'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

/** A month as a table of weeks. Each day on which events start links to them below. */
export function monthGrid(month: string, starts: readonly string[]): Html {
  const first = Temporal.PlainDate.from(`${month}-01`)
  const days = Map.groupBy(starts.map(dayOf), (day) => day)
  const cells = [
    ...Array.from({ length: first.dayOfWeek - 1 }, () => html`<td></td>`),
    ...Array.from({ length: first.daysInMonth }, (_, index) => dayCell(first.add({ days: index }).toString(), days)),
  ]
  const weeks = Array.from({ length: Math.ceil(cells.length / 7) }, (_, week) => cells.slice(week * 7, week * 7 + 7))
  return html`<table class="month-grid" aria-label="${longMonth(month)}">
<thead><tr>!${weekdays.map((day) => html`<th scope="col"><abbr title="${day}">${day.slice(0, 2)}</abbr></th>`)}</tr></thead>
<tbody>!${weeks.map((week) => html`<tr>!${week}</tr>`)}</tbody>
</table>`
}

function dayCell(day: string, days: ReadonlyMap<string, readonly string[]>): Html {
  const number = Number(day.slice(8))
  const count = days.get(day)?.length ?? 0
  if (count === 0) return html`<td>${number}</td>`
  const label = `${longDate(day)}: ${count} ${count === 1 ? 'event' : 'events'}`
  return html`<td><a href="#day-${day}" aria-label="${label}">${number} <span class="count" aria-hidden="true">${count}</span></a></td>`
}
