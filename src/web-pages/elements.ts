import { dateParts } from '../kinds/presentation/dates.ts'
import { type Html, html } from '../markup/html.ts'

export type Tone = 'good' | 'warn' | 'bad' | null

/** A short status label. */
export const badge = (label: string, tone: Tone): Html =>
  html`<span class="badge!${tone ? html` ${tone}` : ''}">${label}</span>`

/** `15 Nov 2026, 12:00 UTC`, for tables and lists. */
export const when = (at: Date): Html =>
  html`<time datetime="${at.toISOString()}">${shortDay(at)}, ${at.toISOString().slice(11, 16)} UTC</time>`

/** `15 Nov 2026` */
export function shortDay(at: Date): string {
  const { day, month, year } = dateParts(at.toISOString())
  return `${day} ${month.slice(0, 3)} ${year}`
}
