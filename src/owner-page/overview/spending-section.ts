import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { dailyTotals, type Spending, type SpendingBy } from './read-spending.ts'
import { spendingChart } from './spending-chart.ts'

type Choice = { by: SpendingBy; capMicros: number | null }

const views: Record<SpendingBy, string> = { site: 'By site', key: 'By key' }

/** The spending of the last days, by site or by key; links switch between the two. */
export function spendingSection(spending: Spending, { by, capMicros }: Choice): Html {
  const spent = dailyTotals(spending).reduce((sum, micros) => sum + micros, 0)
  return html`<section aria-labelledby="spending"><div class="heading"><h2 id="spending">Spending, last ${spending.days.length} days!${spent > 0 ? html` <span class="figure">${amount(spent)}</span>` : ''}</h2>!${spent > 0 ? switchOf(by) : ''}</div>
!${spendingChart(spending, capMicros, by)}
!${spent > 0 && capMicros === null ? html`<p class="small">There is no daily cap: at least one key can spend the whole balance. <a href="/account/keys">Set a cap for each key</a></p>` : ''}</section>`
}

const switchOf = (current: SpendingBy): Html =>
  html`<nav class="switch" aria-label="Show spending"><ul>!${Object.entries(views)
    .map(
      ([by, label]) =>
        html`<li><a href="/account?by=${by}#spending"!${by === current ? html` aria-current="true"` : ''}>${label}</a></li>`,
    )
    .join('')}</ul></nav>`

export const readSpendingBy = (text: string | undefined): SpendingBy => (text === 'key' ? 'key' : 'site')
