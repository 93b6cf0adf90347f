import { type Html, html } from '../../markup/html.ts'
import type { SiteView } from '../views.ts'

/** How to subscribe to the calendar of a listing. */
export function calendarLinks({ baseUrl }: SiteView, path: string): Html {
  const file = path === '' ? '/events.ics' : `/${path}/events.ics`
  const webcal = `${baseUrl.replace(/^https?:/, 'webcal:')}${file}`
  return html`<ul class="feeds" aria-label="Calendar"><li><a href="${file}" type="text/calendar">Calendar file</a></li><li><a href="${webcal}">Subscribe</a></li></ul>`
}
