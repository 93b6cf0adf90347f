import { type Html, html } from '../../markup/html.ts'
import { clockTime, dateParts, longDate } from '../presentation/dates.ts'
import type { Occasion } from '../presentation/presentation.ts'

/** `Saturday 15 June 2030, 18:00` in the event's time zone. */
export const localTime = (iso: string): string => `${longDay(iso)}, ${clockTime(iso)}`

/** `Saturday 15 June 2030` */
const longDay = (iso: string): string => `${dateParts(iso).weekday} ${longDate(iso)}`

export const dayOf = (iso: string): string => iso.slice(0, 10)

/** `Saturday 15 June 2030, 18:00–22:00`, with the end date if it differs. */
export const dayAndHours = (occasion: Occasion): Html =>
  html`${longDay(occasion.starts_at)}, <span class="hours">!${hours(occasion)}</span>`

/** The start and end times of an event, with the end date if it differs. */
export function hours({ starts_at, ends_at }: Occasion): Html {
  const isOneDay = dayOf(starts_at) === dayOf(ends_at)
  const [until, end] = isOneDay ? ['–', clockTime(ends_at)] : [' until ', localTime(ends_at)]
  return html`<time datetime="${starts_at}">${clockTime(starts_at)}</time>${until}<time datetime="${ends_at}">${end}</time>`
}

/** `18:00–20:00`, or `18:00 until Sunday 16 June 2030, 20:00`. */
export function hoursText({ starts_at, ends_at }: Occasion): string {
  const end = dayOf(starts_at) === dayOf(ends_at) ? `–${clockTime(ends_at)}` : ` until ${localTime(ends_at)}`
  return clockTime(starts_at) + end
}

/** `Europe/Lisbon (UTC+01:00)`; both offsets if the clocks change during the event. */
export function zoneText({ starts_at, ends_at, timezone }: Occasion): string {
  const offsets = [...new Set([starts_at, ends_at].map(offsetOf))]
  return timezone === 'UTC' ? 'UTC' : `${timezone} (${offsets.join(', then ')})`
}

const offsetOf = (iso: string) => `UTC${iso.endsWith('Z') ? '+00:00' : iso.slice(-6)}`
