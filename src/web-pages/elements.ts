import { shortTime } from '../markup/dates.ts'
import { type Html, html } from '../markup/html.ts'

export type Tone = 'good' | 'warn' | 'bad' | null

/** A short status label. */
export const badge = (label: string, tone: Tone): Html =>
  html`<span class="badge!${tone ? html` ${tone}` : ''}">${label}</span>`

/** `15 Nov 2026, 12:00 UTC`, for tables and lists. */
export const when = (at: Date): Html => html`<time datetime="${at.toISOString()}">${shortTime(at)}</time>`
