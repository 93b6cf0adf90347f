import { dateParts } from '../kinds/dates.ts'
import { type Html, html } from '../markup/html.ts'

/** `15 Nov 2026, 12:00 UTC`, as tables and lists have it. */
export const when = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${shortDay(at)}, ${at.toISOString().slice(11, 16)} UTC</time>`

/** `15 Nov 2026` */
export function shortDay(at: Date): string {
  const { day, month, year } = dateParts(at.toISOString())
  return `${day} ${month.slice(0, 3)} ${year}`
}
