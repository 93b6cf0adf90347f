import { shortDay } from '../../markup/dates.ts'
import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { dailyTotals, type Spending, type SpendingBy } from './read-spending.ts'

const [width, height] = [600, 100]
const gapShare = 0.28
/** A cap above this many times the highest day would flatten the bars, so it is only mentioned. */
const drawnCapShare = 4

/**
 * One bar per day, stacked by part and stretched to the available width, with a line for the daily cap. Labels are
 * outside the SVG, so that they keep their size. Sites have their own inks; keys have neutral colours.
 */
export function spendingChart(spending: Spending, capMicros: number | null = null, by: SpendingBy = 'site'): Html {
  const { days } = spending
  const totals = dailyTotals(spending)
  const total = totals.reduce((sum, micros) => sum + micros, 0)
  if (total === 0)
    return html`<div class="empty"><p>No spending in the last ${days.length} days</p><p>Your agent’s daily spending appears here.</p></div>`
  const highest = Math.max(...totals)
  const drawnCap = capMicros !== null && capMicros <= highest * drawnCapShare ? capMicros : null
  const top = roundUp(Math.max(highest, drawnCap ?? 0))
  const middle = days.length > 2 ? days[Math.floor(days.length / 2)] : undefined
  const labels = [days[0], middle, days.at(-1)].map((day) => html`<span>${day ? shortDay(day) : ''}</span>`)
  return html`<figure class="chart by-${by}">
!${legend(spending, { capMicros, isCapDrawn: drawnCap !== null })}
<div class="plot">
<p class="scale" aria-hidden="true"><span>${amount(top)}</span><span>${amount(top / 2)}</span><span>$0</span></p>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-labelledby="chart-title chart-text">
<title id="chart-title">Spending by day</title>
<desc id="chart-text">${describe(spending, capMicros)}</desc>
<line class="line" x1="0" x2="${width}" y1="0.5" y2="0.5"/><line class="line" x1="0" x2="${width}" y1="${height / 2}" y2="${height / 2}"/>
!${bars(spending, top).join('')}
!${drawnCap === null ? '' : capLine(height - (drawnCap / top) * height)}
<line class="base" x1="0" x2="${width}" y1="${height}" y2="${height}"/>
</svg>
</div>
<p class="days" aria-hidden="true">!${labels.join('')}</p>
</figure>
<details><summary>Show as a table</summary>!${table(spending)}</details>`
}

const capLine = (y: number): Html =>
  html`<line class="cap" x1="0" x2="${width}" y1="${y.toFixed(1)}" y2="${y.toFixed(1)}"/>`

function bars({ days, parts }: Spending, top: number): Html[] {
  const step = width / days.length
  return days.flatMap((day, index) => {
    const x = (index * step + (step * gapShare) / 2).toFixed(1)
    let y = height
    return parts.flatMap(({ label, micros }, place) => {
      const spent = micros[index] ?? 0
      if (spent <= 0) return []
      // A cent must stay visible next to a hundred dollars.
      const tall = Math.max((spent / top) * height, 1)
      y -= tall
      return html`<rect class="bar series-${place + 1}" x="${x}" y="${y.toFixed(1)}" width="${(step * (1 - gapShare)).toFixed(1)}" height="${tall.toFixed(1)}"><title>${shortDay(day)}, ${label}: ${amount(spent)}</title></rect>`
    })
  })
}

const totalOf = ({ micros }: Spending['parts'][number]) => micros.reduce((sum, one) => sum + one, 0)

type Cap = { capMicros: number | null; isCapDrawn: boolean }

/** The parts that have spent something, with their sums, and the cap. */
function legend({ parts }: Spending, { capMicros, isCapDrawn }: Cap): Html {
  const items = parts.flatMap((part, place) =>
    totalOf(part) > 0
      ? html`<li><svg class="key" viewBox="0 0 10 10" aria-hidden="true"><rect class="series-${place + 1}" width="10" height="10"/></svg> <span dir="auto">${part.label}</span> <span class="soft">${amount(totalOf(part))}</span></li>`
      : [],
  )
  const cap =
    capMicros === null
      ? ''
      : html`<li><svg class="key" viewBox="0 0 10 10" aria-hidden="true"><line class="cap" x1="0" x2="10" y1="5" y2="5"/></svg> Daily cap <span class="soft">${amount(capMicros)}!${isCapDrawn ? '' : html`, above this chart`}</span></li>`
  return html`<figcaption><ul class="legend">!${items.join('\n')}!${cap}</ul></figcaption>`
}

function describe(spending: Spending, capMicros: number | null): string {
  const { days, parts } = spending
  const totals = dailyTotals(spending)
  const total = totals.reduce((sum, micros) => sum + micros, 0)
  const count = totals.filter((micros) => micros > 0).length
  const most = totals.indexOf(Math.max(...totals))
  const split = parts.filter((part) => totalOf(part) > 0).map((part) => `${part.label} ${amount(totalOf(part))}`)
  const cap = capMicros === null ? '' : ` The daily cap is ${amount(capMicros)}.`
  return `${amount(total)} in ${days.length} days, with spending on ${count} of them: ${split.join(', ')}. Highest: ${amount(totals[most] ?? 0)} on ${shortDay(days[most] ?? new Date(0))}.${cap}`
}

function table(spending: Spending): Html {
  const { days, parts } = spending
  const shown = parts.filter((part) => totalOf(part) > 0)
  const totals = dailyTotals(spending)
  const rows = days
    .map((day, index) => {
      const cells = shown.map(({ micros }) => html`<td class="amount">${amount(micros[index] ?? 0)}</td>`)
      const total = totals[index] ?? 0
      return total > 0
        ? html`<tr><th scope="row" class="when">${shortDay(day)}</th>!${cells.join('')}<td class="amount">${amount(total)}</td></tr>`
        : ''
    })
    .toReversed()
  const heads = shown.map(({ label }) => html`<th scope="col" class="amount" dir="auto">${label}</th>`)
  return html`<section class="table" aria-label="Spending by day" tabindex="0"><table><caption>Days without spending are omitted.</caption><thead><tr><th scope="col">Day</th>!${heads.join('')}<th scope="col" class="amount">Total</th></tr></thead><tbody>!${rows.join('')}</tbody></table></section>`
}

/** Rounds up to the next of 1, 1.5, 2, 3, 5, 7.5, 10, 15 …, for the top of the scale. */
function roundUp(micros: number): number {
  const power = 10 ** Math.floor(Math.log10(micros))
  return power * ([1, 1.5, 2, 3, 5, 7.5, 10].find((step) => step * power >= micros) ?? 10)
}
