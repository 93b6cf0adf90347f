import { shortDay } from '../../markup/dates.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import type { Spending, SpendingBy } from './read-spending.ts'

type Choice = { by: SpendingBy; capMicros: number | null }

const views: Record<SpendingBy, string> = { site: 'By site', key: 'By key' }
/** Days with spending that are shown at once. Earlier ones are folded. */
const newestDays = 7

/** The spending of the last days, by site or by key; links switch between the two. */
export function spendingSection({ days, parts }: Spending, { by, capMicros }: Choice): Html {
  const spent = parts.filter(({ micros }) => sum(micros) > 0)
  const rows = days
    .map((day, index): Row => ({ name: shortDay(day), micros: spent.map(({ micros }) => micros[index] ?? 0) }))
    .filter(({ micros }) => sum(micros) > 0)
    .toReversed()
  const all: Row = { name: `${days.length} days`, micros: spent.map(({ micros }) => sum(micros)), isTotal: true }
  const labels = spent.map(({ label }) => label)
  const earlier = rows.slice(newestDays)
  const tables = html`!${table('Spending by day', labels, [all, ...rows.slice(0, newestDays)])}
!${earlier.length > 0 ? html`<details><summary>Earlier days</summary>!${table('Spending on earlier days', labels, earlier)}</details>` : ''}
<p class="small after">Days without spending are omitted. !${capWords(capMicros)}</p>`
  const none = html`<div class="empty"><p>No spending in the last ${days.length} days</p><p>Your agent’s daily spending appears here.</p></div>`
  return html`<section aria-labelledby="spending"><div class="heading"><h2 id="spending">Spending, last ${days.length} days</h2>!${spent.length > 0 ? switchOf(by) : ''}</div>
!${spent.length > 0 ? tables : none}</section>`
}

const sum = (micros: readonly number[]) => micros.reduce((total, one) => total + one, 0)

const capWords = (capMicros: number | null): Html =>
  capMicros === null
    ? html`There is no daily cap: at least one key can spend the whole balance. <a href="/account/keys">Set a cap for each key</a>`
    : html`Together, the keys can spend ${amount(capMicros)} a day.`

const switchOf = (current: SpendingBy): Html =>
  html`<nav class="switch" aria-label="Show spending"><ul>!${Object.entries(views)
    .map(
      ([by, label]) =>
        html`<li><a href="/account?by=${by}#spending"!${by === current ? html` aria-current="true"` : ''}>${label}</a></li>`,
    )
    .join('')}</ul></nav>`

type Row = { name: string; micros: readonly number[]; isTotal?: true }

function table(name: string, labels: readonly string[], rows: readonly Row[]): Html {
  const heads = labels.map((label) => html`<th scope="col" class="amount" dir="auto">${label}</th>`)
  return html`<section class="table" aria-label="${name}" tabindex="0"><table class="spending"><thead><tr><th scope="col">Day</th><th scope="col" class="amount">Total</th>!${heads.join('')}</tr></thead><tbody>!${rows.map(rowOf).join('')}</tbody></table></section>`
}

const rowOf = ({ name, micros, isTotal }: Row): Html =>
  html`<tr!${isTotal ? html` class="total"` : ''}><th scope="row">${name}</th>!${[sum(micros), ...micros]
    .map((one) => html`<td class="amount">${one === 0 ? '–' : amount(one)}</td>`)
    .join('')}</tr>`

export const readSpendingBy = (text: string | undefined): SpendingBy => (text === 'key' ? 'key' : 'site')
