import { type Html, html } from '../../markup/html.ts'

/**
 * Charts with one row for each name. Labels are outside the SVG, so that they keep their size; colors come from the
 * style sheet. To assistive technology each chart is one image with a summary, and the table after it has the data.
 */
type RowChart = { title: string; series: readonly string[] }

type Row = { label: string; values: readonly number[] }

/** Stacked bars on one scale, longest first. */
export function rankedBars({ title, series, rows }: RowChart & { rows: readonly Row[] }): Html {
  const sorted = rows.filter((row) => sum(row.values) > 0).toSorted((a, b) => sum(b.values) - sum(a.values))
  const longest = Math.max(1, ...sorted.map(({ values }) => sum(values)))
  const summary = sorted.map(({ label, values }) => `${label} ${count(sum(values))}`).join(', ')
  return rowChart({ title, series, summary: `${summary}.` }, [
    ...sorted.map(
      ({ label, values }) =>
        html`<p class="bar-row"><span class="name">${label}</span> <span class="bar">!${stacked(values, longest)}</span> <span class="total">${count(sum(values))}</span></p>`,
    ),
  ])
}

/** Bars that each add up to 100%. */
export function shareBars({ title, series, rows }: RowChart & { rows: readonly Row[] }): Html {
  const summary = rows
    .map(({ label, values }) => `${label}: ${values.map((value, at) => `${series[at]} ${percent(value)}`).join(', ')}.`)
    .join(' ')
  return rowChart({ title, series, summary }, [
    ...rows.map(
      ({ label, values }) =>
        html`<p class="bar-row shares"><span class="name">${label}</span> <span class="bar">!${stacked(values, sum(values))}</span> <span class="total">${values.map(percent).join(' · ')}</span></p>`,
    ),
    html`<p class="bar-row shares axis"><span class="name"></span> <span class="bar"><span>0</span><span>50</span><span>100%</span></span> <span class="total"></span></p>`,
  ])
}

/** A measured share and the bounds of its confidence interval. */
export type IntervalEstimate = { value: number; low: number; high: number }

type EstimateRow = { label: string; estimates: readonly (IntervalEstimate | null)[] }

/** For each row and series, a band from the lower to the upper bound, with a line at the measured value. */
export function intervalBars({ title, series, rows }: RowChart & { rows: readonly EstimateRow[] }): Html {
  const heads = series.map((name) => html`<span class="bar">${name}</span>`)
  const ends = series.map(() => html`<span class="bar"><span>0</span><span>0.5</span><span>1</span></span>`)
  const summary = series.map((name, at) => rangeWords(name, rows, at)).join(' ')
  return rowChart({ title, series: [], summary }, [
    html`<p class="bar-row heads"><span class="name"></span> !${heads.join(' ')}</p>`,
    ...rows.map(
      ({ label, estimates }) =>
        html`<p class="bar-row"><span class="name">${label}</span> !${estimates.map((one) => html`<span class="bar">!${one ? interval(one) : html`–`}</span>`).join(' ')}</p>`,
    ),
    html`<p class="bar-row axis"><span class="name"></span> !${ends.join(' ')}</p>`,
  ])
}

function rangeWords(name: string, rows: readonly EstimateRow[], at: number): string {
  const known = rows
    .flatMap(({ label, estimates }) => {
      const one = estimates[at]
      return one ? [{ label, value: one.value }] : []
    })
    .sort((one, other) => one.value - other.value)
  const [least, most] = [known[0], known.at(-1)]
  if (!least || !most) return `${name}: no figures.`
  return `${name} from ${least.value.toFixed(2)} (${least.label}) to ${most.value.toFixed(2)} (${most.label}).`
}

function rowChart({ title, series, summary }: RowChart & { summary: string }, rows: readonly Html[]): Html {
  const keys = series.map(
    (name, index) =>
      html`<span><svg class="key" viewBox="0 0 10 10" aria-hidden="true"><rect class="series-${index + 1}" width="10" height="10"/></svg> ${name}</span>`,
  )
  return html`<figure class="chart">
<figcaption><span>${title}</span>!${series.length > 1 ? html`<span class="legend">!${keys.join('')}</span>` : ''}</figcaption>
<div class="bar-rows" role="img" aria-label="${title}. ${summary}">
!${rows.join('\n')}
</div>
</figure>`
}

function stacked(values: readonly number[], whole: number): Html {
  let x = 0
  const parts = values.map((value, index) => {
    // A value of 1 must stay visible next to a value of 1,000.
    const wide = value === 0 ? 0 : Math.max((value / whole) * 100, 0.4)
    x += wide
    return wide === 0
      ? ''
      : html`<rect class="series-${index + 1}" x="${(x - wide).toFixed(1)}" width="${wide.toFixed(1)}" height="10"/>`
  })
  return drawing(parts.join(''))
}

const interval = ({ value, low, high }: IntervalEstimate): Html =>
  drawing(
    html`<rect class="track" y="4" width="100" height="2"/><rect class="band" x="${at(low)}" y="1" width="${at(high - low)}" height="8"/><rect class="point" x="${at(Math.min(Math.max(value - 0.006, 0), 0.988))}" width="1.2" height="10"/>`,
  )

const drawing = (content: Html): Html => html`<svg viewBox="0 0 100 10" preserveAspectRatio="none">!${content}</svg>`

const at = (share: number) => (share * 100).toFixed(1)
/** A share above 0 never shows as 0. */
const percent = (share: number) => (share > 0 && share < 0.005 ? '<1%' : `${Math.round(share * 100)}%`)
const count = (number: number) => number.toLocaleString('en')
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
