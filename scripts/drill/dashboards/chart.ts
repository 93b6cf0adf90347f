import type { Panel } from './dashboard.ts'
import type { Period, Series } from './prometheus-client.ts'
import { formatValue } from './units.ts'

export type Line = { name: string; points: Series['points'] }
export type Size = { width: number; height: number }
type Scale = { x: (seconds: number) => number; y: (value: number) => number; bottom: number; top: number }

const colors = ['#7eb26d', '#eab839', '#6ed0e0', '#ef843c', '#e24d42', '#1f78c1', '#ba43a9', '#705da0', '#508642']
const colorOf = (index: number) => colors[index % colors.length] ?? ''
const margin = { left: 62, right: 10, top: 6, bottom: 20 }

export const escapeMarkup = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** Draws lines over time, with axes, thresholds and a legend with the last values. */
export function drawChart(
  panel: Panel,
  lines: readonly Line[],
  { size, period }: { size: Size; period: Period },
): string {
  const defaults = panel.fieldConfig?.defaults ?? { unit: 'none' }
  const isStacked = defaults.custom?.stacking !== undefined
  const shown = isStacked ? stack(lines) : lines
  const scale = scaleFor(shown, panel, { size, period })
  const format = (value: number) => formatValue(value, defaults.unit)
  const drawn = shown
    .map((line, index) =>
      drawLine(line, {
        scale,
        color: colorOf(index),
        below: isStacked ? shown[index - 1] : undefined,
        step: period.step,
        isStacked,
      }),
    )
    .reverse()
  const parts = [drawGrid(scale, { size, period, format }), ...drawThresholds(panel, scale, size), ...drawn]
  const nothing = `<text x="${size.width / 2}" y="${size.height / 2}" class="nothing" text-anchor="middle">No data</text>`
  const svg = `<svg width="${size.width}" height="${size.height}">${parts.join('')}${lines.length === 0 ? nothing : ''}</svg>`
  return svg + drawLegend(lines, format)
}

/** Each line on top of those before it. A missing value counts as 0. */
function stack(lines: readonly Line[]): Line[] {
  const totals = new Map<number, number>()
  return lines.map(({ name, points }) => ({
    name,
    points: points.map(([at, value]) => {
      const total = (totals.get(at) ?? 0) + (Number.isFinite(value) ? value : 0)
      totals.set(at, total)
      return [at, total]
    }),
  }))
}

function scaleFor(
  lines: readonly Line[],
  { fieldConfig }: Panel,
  { size, period }: { size: Size; period: Period },
): Scale {
  const values = lines.flatMap(({ points }) => points.map(([, value]) => value)).filter(Number.isFinite)
  const { min, max } = fieldConfig?.defaults ?? {}
  const bottom = Math.min(min ?? Number.POSITIVE_INFINITY, values.length > 0 ? Math.min(...values) : 0, 0)
  const top = niceTop(Math.max(max ?? 0, values.length > 0 ? Math.max(...values) : 1))
  const [width, height] = [size.width - margin.left - margin.right, size.height - margin.top - margin.bottom]
  return {
    ...{ bottom, top },
    x: (seconds) => margin.left + (width * (seconds - period.from)) / (period.to - period.from),
    y: (value) => margin.top + height * (1 - (value - bottom) / (top - bottom || 1)),
  }
}

function niceTop(value: number): number {
  if (value <= 0) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  return ([1, 2, 2.5, 5, 10].find((step) => step * power >= value) ?? 10) * power
}

type Frame = { size: Size; period: Period; format: (value: number) => string }

function drawGrid({ x, y, bottom, top }: Scale, { size, period, format }: Frame): string {
  const rows = [0, 0.25, 0.5, 0.75, 1].map((part) => {
    const value = bottom + part * (top - bottom)
    const at = y(value)
    return `<line x1="${margin.left}" x2="${size.width - margin.right}" y1="${at}" y2="${at}" class="grid"/><text x="${margin.left - 6}" y="${at + 4}" text-anchor="end">${escapeMarkup(format(value))}</text>`
  })
  const count = Math.min(5, Math.floor(size.width / 90))
  const columns = Array.from({ length: count }, (_, index) => {
    const seconds = period.from + ((period.to - period.from) * (index + 0.5)) / count
    const time = new Date(seconds * 1_000).toISOString().slice(11, period.to - period.from < 1_800 ? 19 : 16)
    return `<text x="${x(seconds)}" y="${size.height - 4}" text-anchor="middle">${time}</text>`
  })
  return [...rows, ...columns].join('')
}

function drawThresholds({ fieldConfig }: Panel, { y, top }: Scale, size: Size): string[] {
  const steps = fieldConfig?.defaults.thresholds?.steps ?? []
  return steps
    .flatMap(({ value }) => (value !== null && value <= top ? [value] : []))
    .map(
      (value) =>
        `<line x1="${margin.left}" x2="${size.width - margin.right}" y1="${y(value)}" y2="${y(value)}" class="threshold"/>`,
    )
}

type Drawing = { scale: Scale; color: string; below: Line | undefined; isStacked: boolean; step: number }

function drawLine({ points }: Line, { scale: { x, y }, color, below, isStacked, step }: Drawing): string {
  const place = ([at, value]: Point) => `${x(at).toFixed(1)},${y(value).toFixed(1)}`
  const under = new Map(below?.points)
  return runsOf(points, step)
    .map((run) => {
      const [first] = run
      if (run.length === 1 && first) return `<circle cx="${x(first[0])}" cy="${y(first[1])}" r="1.5" fill="${color}"/>`
      const line = `<polyline points="${run.map(place).join(' ')}" fill="none" stroke="${color}" stroke-width="1.5"/>`
      if (!isStacked) return line
      const floor = run.map(([at]) => place([at, under.get(at) ?? 0])).reverse()
      return `<polygon points="${[...run.map(place), ...floor].join(' ')}" fill="${color}" fill-opacity="0.3"/>${line}`
    })
    .join('')
}

type Point = Series['points'][number]

/** The parts of a line without a gap. */
function runsOf(points: readonly Point[], step: number): Point[][] {
  const runs: Point[][] = []
  let last = Number.NEGATIVE_INFINITY
  for (const point of points.filter(([, value]) => Number.isFinite(value))) {
    if (point[0] - last > 3 * step) runs.push([])
    runs.at(-1)?.push(point)
    last = point[0]
  }
  return runs
}

/** How many entries of a legend fit below a chart. */
const legendEntries = 9

function drawLegend(lines: readonly Line[], format: (value: number) => string): string {
  const entries = lines.slice(0, legendEntries).map(({ name, points }, index) => {
    const last = points.at(-1)?.[1] ?? Number.NaN
    return `<span><i style="background:${colorOf(index)}"></i>${escapeMarkup(name || 'value')} <b>${escapeMarkup(format(last))}</b></span>`
  })
  const more = lines.length > legendEntries ? [`<span>and ${lines.length - legendEntries} more</span>`] : []
  return `<div class="legend">${[...entries, ...more].join('')}</div>`
}
