import { type Html, html } from '../../markup/html.ts'
import type { ShelfLink } from '../views.ts'

/** Other shelves with how many posts each holds. */
export const shelfLinks = (shelves: readonly ShelfLink[]): Html =>
  html`<ul class="shelves">!${shelves.map(
    ({ path, name, count }) =>
      html`<li><a href="/${path}/">${name}</a> <span class="count">${count.toLocaleString('en')}</span></li>`,
  )}</ul>`
