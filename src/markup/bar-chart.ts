import { type Html, html } from './html.ts'

type BarChart = {
  /** A prefix for the ids of the title and the description; must be unique on the page. */
  id: string
  title: string
  /** The names of the parts of each bar, from the bottom. A single series gets no legend. */
  series: readonly string[]
  /** The bars in order, each with one value per series. */
  bars: readonly { label: string; values: readonly number[] }[]
}

const [width, height] = [900, 120]
const gapShare = 0.2

/**
 * A chart of whole numbers by day, stretched to the available width. Labels are outside the SVG, so that they keep
 * their size. Colours come from the style sheet, by `series-1`, `series-2` …, so that the page needs no inline styles.
 */
export function barChart({ id, title, series, bars }: BarChart): Html {
  const top = roundUp(Math.max(...bars.map(({ values }) => sum(values)), 1))
  const [first, last] = [bars[0]?.label ?? '', bars.at(-1)?.label ?? '']
  return html`<figure class="chart">
<figcaption><span id="${id}-title">${title}</span>!${series.length > 1 ? legend(series) : ''}</figcaption>
<div class="plot">
<p class="scale" aria-hidden="true"><span>${top.toLocaleString('en')}</span><span>0</span></p>
<svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-labelledby="${id}-title ${id}-text">
<desc id="${id}-text">${describe(bars, series)}</desc>
!${bars.map((bar, index) => drawn(bar, { index, step: width / bars.length, top, series })).join('')}
<line class="base" x1="0" x2="${width}" y1="${height}" y2="${height}"/>
</svg>
</div>
<p class="ends" aria-hidden="true"><span>${first}</span><span>${last === first ? '' : last}</span></p>
</figure>`
}

type Scale = { index: number; step: number; top: number; series: readonly string[] }

function drawn({ label, values }: BarChart['bars'][number], { index, step, top, series }: Scale): Html {
  const x = (index * step + (step * gapShare) / 2).toFixed(1)
  const wide = (step * (1 - gapShare)).toFixed(1)
  let y = height
  return values
    .map((value, place) => {
      if (value === 0) return ''
      // A value of 1 must stay visible next to a value of 1,000.
      const tall = Math.max((value / top) * height, 1)
      y -= tall
      const name = series.length > 1 ? `, ${series[place]}` : ''
      return html`<rect class="series-${place + 1}" x="${x}" y="${y.toFixed(1)}" width="${wide}" height="${tall.toFixed(1)}"><title>${label}${name}: ${value.toLocaleString('en')}</title></rect>`
    })
    .join('')
}

const legend = (series: readonly string[]): Html =>
  html`<span class="legend">!${series.map(
    (name, index) =>
      html`<span><svg class="key" viewBox="0 0 10 10" aria-hidden="true"><rect class="series-${index + 1}" width="10" height="10"/></svg> ${name}</span>`,
  )}</span>`

function describe(bars: BarChart['bars'], series: readonly string[]): string {
  const totals = series.map((_, place) => sum(bars.map(({ values }) => values[place] ?? 0)))
  const all = sum(totals)
  if (all === 0) return 'None.'
  const most = bars.reduce((best, one) => (sum(one.values) > sum(best.values) ? one : best))
  const parts = series.map((name, place) => `${name} ${totals[place]?.toLocaleString('en')}`)
  const split = series.length > 1 ? ` (${parts.join(', ')})` : ''
  return `${all.toLocaleString('en')}${split} on ${bars.length} days. Highest: ${sum(most.values).toLocaleString('en')} on ${most.label}.`
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

/** Rounds up to the next of 1, 2, 5, 10, 20, 50 …, for the top of the scale. */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  return power * ([1, 2, 5, 10].find((step) => step * power >= value) ?? 10)
}
