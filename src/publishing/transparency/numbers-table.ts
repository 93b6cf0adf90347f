import { type Html, html } from '../../markup/html.ts'

/** A wide table scrolls inside its own area, which the keyboard can focus. */
export function numbersTable(caption: string, head: readonly string[], rows: readonly (readonly Html[])[]): Html {
  return html`<div class="table-wrap" tabindex="0"><table class="numbers"><caption>${caption}</caption>
<thead><tr><td></td>!${head.map((name) => html`<th scope="col">${name}</th>`)}</tr></thead>
<tbody>
!${rows.map(row).join('\n')}
</tbody></table></div>`
}

const row = ([name = '', ...cells]: readonly Html[]): Html =>
  html`<tr><th scope="row">!${name}</th>!${cells.map((cell) => html`<td>!${cell}</td>`)}</tr>`
