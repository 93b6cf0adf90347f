import { type Html, html } from '../../markup/html.ts'

type NumberTable = {
  caption: string
  /** The first is above the names of the rows. */
  head: readonly string[]
  rows: readonly (readonly (string | number)[])[]
}

/** Rows with a name and numbers. It scrolls by itself where it is too wide, and so can be reached by the keyboard. */
export function numberTable({ caption, head, rows }: NumberTable): Html {
  const [first = '', ...others] = head
  return html`<section class="table" aria-label="${caption}" tabindex="0"><table class="numbers"><caption class="unseen">${caption}</caption>
<thead><tr><th scope="col">${first}</th>!${others.map((name) => html`<th scope="col" class="amount">${name}</th>`).join('')}</tr></thead>
<tbody>!${rows.map(row).join('')}</tbody></table></section>`
}

const row = ([name = '', ...cells]: readonly (string | number)[]): Html =>
  html`<tr><th scope="row">${name}</th>!${cells.map((cell) => html`<td class="amount!${cell === 0 ? ' nil' : ''}">${cell.toLocaleString('en')}</td>`).join('')}</tr>`
