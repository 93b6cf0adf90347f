import { type Html, html } from '../../markup/html.ts'
import { dateParts, longMonth } from '../presentation/dates.ts'
import type { Occasion } from '../presentation/presentation.ts'
import { dayOf } from './occasion-text.ts'

const weekdays = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

type Times = Pick<Occasion, 'starts_at' | 'ends_at'>

/** A month as a table of weeks. Each day on which events take place links to them below. */
export function monthGrid(month: string, events: readonly Times[]): Html {
  const first = Temporal.PlainDate.from(`${month}-01`)
  const before = first.dayOfWeek - 1
  const length = Math.ceil((before + first.daysInMonth) / 7) * 7
  const cells = Array.from({ length }, (_, index) => {
    const day = first.add({ days: index - before })
    return day.month === first.month ? dayCell(day.toString(), events) : html`<td></td>`
  })
  const weeks = Array.from({ length: length / 7 }, (_, week) => cells.slice(week * 7, week * 7 + 7))
  return html`<table class="month-grid" aria-label="${longMonth(month)}">
<thead><tr>!${weekdays.map((day) => html`<th scope="col"><abbr title="${day}">${day.slice(0, 2)}</abbr></th>`)}</tr></thead>
<tbody>!${weeks.map((week) => html`<tr>!${week}</tr>`)}</tbody>
</table>`
}

/** The list below names each event once, under its first day. The link leads to the last of the first days. */
function dayCell(date: string, events: readonly Times[]): Html {
  const { day, month } = dateParts(date)
  const starts = events.filter((event) => isOn(date, event)).map(({ starts_at }) => dayOf(starts_at))
  const last = starts.toSorted().at(-1)
  if (last === undefined) return html`<td>${day}</td>`
  const count = `${starts.length} ${starts.length === 1 ? 'event' : 'events'}`
  return html`<td><a href="#day-${last}"><span class="number">${day}</span> <span class="unseen">${month}, </span><span class="count">${count}</span></a></td>`
}

/** An event that ends at midnight does not take place on the day that then begins. */
function isOn(date: string, { starts_at, ends_at }: Times): boolean {
  const endsAtMidnight = /T00:00:00(\.0+)?(Z|[+-])/.test(ends_at)
  return dayOf(starts_at) <= date && (endsAtMidnight ? date < dayOf(ends_at) : date <= dayOf(ends_at))
}
