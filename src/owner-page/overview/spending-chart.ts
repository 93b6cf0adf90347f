import { type Html, html } from '../../markup/html.ts'
import { amount } from '../../markup/money.ts'
import { shortDay } from '../../web-pages/elements.ts'
import type { DayOfSpending } from './read-overview.ts'

const [width, height] = [600, 100]
const gapShare = 0.28

/** One bar per day, stretched to the available width. Labels are outside the SVG, so that they keep their size. */
export function spendingChart(days: readonly DayOfSpending[]): Html {
  const total = days.reduce((sum, { micros }) => sum + micros, 0)
  if (total === 0)
    return html`<div class="empty"><p>No spending in the last ${days.length} days</p><p>Your agent’s daily spending appears here.</p></div>`
  const top = roundUp(Math.max(...days.map(({ micros }) => micros)))
  const [first, last] = [days[0], days.at(-1)].map((one) => (one ? shortDay(one.day) : ''))
  return html`<figure class="chart">
<div class="plot">
<p class="scale" aria-hidden="true"><span>${amount(top)}</span><span>${amount(top / 2)}</span><span>$0</span></p>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-labelledby="chart-title chart-text">
<title id="chart-title">Spending by day</title>
<desc id="chart-text">${describe(days, total)}</desc>
<line class="line" x1="0" x2="${width}" y1="0.5" y2="0.5"/><line class="line" x1="0" x2="${width}" y1="${height / 2}" y2="${height / 2}"/>
!${bars(days, top).join('')}
<line class="base" x1="0" x2="${width}" y1="${height}" y2="${height}"/>
</svg>
</div>
<p class="days" aria-hidden="true"><span>${first}</span><span>${last}</span></p>
</figure>
<details><summary>Show as a table</summary>!${table(days)}</details>`
}

function bars(days: readonly DayOfSpending[], top: number): Html[] {
  const step = width / days.length
  return days.flatMap(({ day, micros }, index) => {
    // A cent must stay visible next to a hundred dollars.
    const tall = Math.max((micros / top) * height, 1)
    const [x, y] = [index * step + (step * gapShare) / 2, height - tall]
    const bar = html`<rect class="bar" x="${x.toFixed(1)}" y="${y.toFixed(1)}" width="${(step * (1 - gapShare)).toFixed(1)}" height="${tall.toFixed(1)}"><title>${shortDay(day)}: ${amount(micros)}</title></rect>`
    return micros > 0 ? [bar] : []
  })
}

function describe(days: readonly DayOfSpending[], total: number): string {
  const most = days.reduce((best, one) => (one.micros > best.micros ? one : best))
  const count = days.filter(({ micros }) => micros > 0).length
  return `${amount(total)} in ${days.length} days, with spending on ${count} of them. Highest: ${amount(most.micros)} on ${shortDay(most.day)}.`
}

function table(days: readonly DayOfSpending[]): Html {
  const rows = days
    .filter(({ micros }) => micros > 0)
    .toReversed()
    .map(
      ({ day, micros }) =>
        html`<tr><th scope="row">${shortDay(day)}</th><td class="amount">${amount(micros)}</td></tr>`,
    )
  return html`<table class="narrow"><caption>Days without spending are omitted.</caption><thead><tr><th scope="col">Day</th><th scope="col" class="amount">Spent</th></tr></thead><tbody>!${rows.join('')}</tbody></table>`
}

/** Rounds up to the next of 1, 2, 5, 10, 20, 50 …, for the top of the scale. */
function roundUp(micros: number): number {
  const power = 10 ** Math.floor(Math.log10(micros))
  return power * ([1, 2, 5, 10].find((step) => step * power >= micros) ?? 10)
}
