import { type Html, html } from '../../markup/html.ts'

// Written out instead of using Intl: a page must not change with the version of a library's locale data.
const months = 'January February March April May June July August September October November December'.split(' ')
const weekdays = 'Sunday Monday Tuesday Wednesday Thursday Friday Saturday'.split(' ')

/** The parts of the local date in a time with an offset, such as `2030-06-15T18:00:00+01:00`. */
export function dateParts(iso: string) {
  const date = new Date(`${iso.slice(0, 10)}T00:00:00Z`)
  return {
    day: date.getUTCDate(),
    month: months.at(date.getUTCMonth()) ?? '',
    year: iso.slice(0, 4),
    weekday: weekdays.at(date.getUTCDay()) ?? '',
  }
}

/** `15 June 2030` */
export function longDate(iso: string): string {
  const { day, month, year } = dateParts(iso)
  return `${day} ${month} ${year}`
}

/** `15 Jun` */
export function shortDate(iso: string): string {
  const { day, month } = dateParts(iso)
  return `${day} ${month.slice(0, 3)}`
}

/** `2026-11` as `November 2026`. */
export function longMonth(iso: string): string {
  const { month, year } = dateParts(`${iso.slice(0, 7)}-01`)
  return `${month} ${year}`
}

/** `18:00` */
export const clockTime = (iso: string): string => iso.slice(11, 16)

/** `15 June 2030, 18:00 UTC`, for a time that ends in Z. */
export const utcTime = (iso: string): Html =>
  html`<time datetime="${iso}">${longDate(iso)}, ${clockTime(iso)} UTC</time>`

/** `15 June 2030`, for a time that ends in Z. */
export const utcDate = (iso: string): Html => html`<time datetime="${iso}">${longDate(iso)}</time>`
