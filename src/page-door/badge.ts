import { type Html, html } from '../markup/html.ts'

export type Tone = 'good' | 'warn' | 'bad' | null

/** A word or two on how something stands. */
export const badge = (label: string, tone: Tone): Html =>
  html`<span class="badge!${tone ? html` ${tone}` : ''}">${label}</span>`
