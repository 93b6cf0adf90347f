import { type Html, html } from '../../markup/html.ts'
import type { ShelfLink, SiteView } from '../views.ts'
import { shelfLinks } from './shelf-links.ts'

/** The largest first, for those who look around; then all by the alphabet, for those who know what they seek. */
export function shelfIndex({ kind }: SiteView, shelves: readonly ShelfLink[]): Html {
  if (shelves.length === 0)
    return html`<div class="empty"><p>Nothing to list: no current ${kind.site.noun} names one.</p></div>`
  const letters = Map.groupBy(shelves.toSorted(byName), ({ name }) => initialOf(name))
  return html`<section class="largest" aria-labelledby="largest"><h2 id="largest">Largest</h2>!${shelfLinks(shelves.slice(0, largestShown))}</section>
<section class="alphabet" aria-labelledby="all"><h2 id="all">A to Z</h2>
!${[...letters].map(([letter, those]) => html`<div class="letter"><h3>${letter}</h3>!${shelfLinks(those)}</div>`).join('\n')}
</section>`
}

const largestShown = 12

const collator = new Intl.Collator('en', { numeric: true })
const byName = (one: ShelfLink, other: ShelfLink) => collator.compare(one.name, other.name)

/** `Å` stands with A, as the order has it; digits stand together. */
function initialOf(name: string): string {
  const initial = name.normalize('NFD').charAt(0).toUpperCase()
  return /\d/.test(initial) ? '0–9' : initial
}
