import { type Html, html } from '../../markup/html.ts'

/** A wide table scrolls inside its own area, which the keyboard can focus. */
export function numbersTable(caption: string, head: readonly string[], rows: readonly (readonly Html[])[]): Html {
  const [first = '', ...others] = head
  const corner = first === '' ? html`<td></td>` : html`<th scope="col">${first}</th>`
  return html`<div class="table-wrap" tabindex="0"><table class="numbers"><caption>${caption}</caption>
<thead><tr>!${corner}!${others.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
!${rows.map(row).join('\n')}
</tbody></table></div>`
}

const row = ([name = '', ...cells]: readonly Html[]): Html =>
  html`<tr><th scope="row">!${name}</th>!${cells.map((cell) => html`<td>!${cell}</td>`)}</tr>`

/** `0.83`: a few thousand texts support only two decimals. */
export const ratio = (value: number | null): string => (value === null ? '–' : value.toFixed(2))

/** A figure with its range below, in smaller type. */
export const withRange = (value: string, range: string): Html => html`${value} <span class="range">${range}</span>`
