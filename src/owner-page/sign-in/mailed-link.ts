import { html } from '../../markup/html.ts'

/** The way in that an agent cannot use up. */
export const mailedLink = html`<p><a class="button" href="/">Have a link mailed to me</a></p>`
