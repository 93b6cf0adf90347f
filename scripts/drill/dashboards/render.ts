import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openBrowser } from '../../../tooling/clients/browser.ts'
import { drawChart, escapeMarkup, type Line } from './chart.ts'
import { type Dashboard, legendOf, type Panel, readDashboards } from './dashboard.ts'
import { openPrometheusClient, type Period, type PrometheusClient } from './prometheus-client.ts'
import { formatValue } from './units.ts'

type Options = { prometheusUrl: string; folder: string; minutes: number; rateInterval?: string }

const columnPixels = 58
const rowPixels = 34

/**
 * Draws the dashboards of deploy/grafana with the same queries from a Prometheus, where no Grafana can be installed: one
 * HTML page and one picture for each. Returns the panels without data.
 */
export async function renderDashboards({ prometheusUrl, folder, minutes, rateInterval = '1m' }: Options) {
  mkdirSync(folder, { recursive: true })
  const client = openPrometheusClient(prometheusUrl)
  const to = Math.floor(Date.now() / 1_000)
  const period = { from: to - 60 * minutes, to, step: Math.max(1, Math.round((60 * minutes) / 240)) }
  await using browser = await openBrowser()
  const context = await browser.newContext({ viewport: { width: 24 * columnPixels + 40, height: 900 } })
  const empty: string[] = []
  for (const dashboard of readDashboards()) {
    const parts: string[] = []
    for (const panel of dashboard.panels) {
      const { markup, isEmpty } = await drawPanel(panel, { client, period, rateInterval })
      parts.push(markup)
      if (isEmpty) empty.push(`${dashboard.title}: ${panel.title}`)
    }
    const file = join(folder, `${dashboard.uid}.html`)
    writeFileSync(file, pageOf(dashboard, parts))
    const page = await context.newPage()
    await page.goto(`file://${file}`)
    await page.screenshot({ path: join(folder, `${dashboard.uid}.png`), fullPage: true })
    await page.close()
  }
  return { empty }
}

type Sources = { client: PrometheusClient; period: Period; rateInterval: string }

async function drawPanel(panel: Panel, sources: Sources): Promise<{ markup: string; isEmpty: boolean }> {
  const { x, y, w, h } = panel.gridPos
  const [width, height] = [w * columnPixels - 8, h * rowPixels - 8]
  const box = `left:${x * columnPixels}px;top:${y * rowPixels}px;width:${width}px;height:${height}px`
  if (panel.type === 'row') return { markup: `<h2 style="${box}">${escapeMarkup(panel.title)}</h2>`, isEmpty: false }
  const lines = await linesOf(panel, sources)
  const size = { width: width - 16, height: height - 88 }
  const content =
    panel.type === 'timeseries'
      ? drawChart(panel, lines, { size, period: sources.period })
      : panel.type === 'stat'
        ? drawStats(panel, lines)
        : drawTable(lines)
  const markup = `<section style="${box}"><h3>${escapeMarkup(panel.title)}</h3>${content}</section>`
  return { markup, isEmpty: lines.length === 0 }
}

async function linesOf({ type, targets = [] }: Panel, { client, period, rateInterval }: Sources): Promise<Line[]> {
  const found = await Promise.all(
    targets.map(async ({ expr, legendFormat }) => {
      const query = expr.replaceAll('$__rate_interval', rateInterval)
      const series = type === 'timeseries' ? await client.range(query, period) : await client.now(query, period.to)
      return series.map(({ labels, points }) => ({ name: legendOf(legendFormat, labels), points }))
    }),
  )
  return found.flat().sort((one, other) => one.name.localeCompare(other.name))
}

function drawStats({ fieldConfig }: Panel, lines: readonly Line[]): string {
  const { unit = 'none', decimals, thresholds } = fieldConfig?.defaults ?? {}
  const tiles = lines.map(({ name, points }) => {
    const value = points.at(-1)?.[1] ?? Number.NaN
    const step = thresholds?.steps.findLast(
      (one) => Number.isFinite(value) && (one.value === null || value >= one.value),
    )
    const shown = escapeMarkup(formatValue(value, unit, decimals))
    return `<div><span>${escapeMarkup(name)}</span><b class="${step?.color ?? ''}">${shown}</b></div>`
  })
  return `<div class="stats">${tiles.join('') || '<span class="nothing">No data</span>'}</div>`
}

const drawTable = (lines: readonly Line[]) =>
  `<ul>${lines.map(({ name }) => `<li>${escapeMarkup(name)}</li>`).join('') || '<li class="nothing">No data</li>'}</ul>`

function pageOf({ title, description, panels }: Dashboard, parts: readonly string[]): string {
  const bottom = Math.max(...panels.map(({ gridPos }) => gridPos.y + gridPos.h))
  return `<!doctype html><meta charset="utf-8"><title>${escapeMarkup(title)}</title><style>${style}</style>
<h1>${escapeMarkup(title)}</h1><p>${escapeMarkup(description)}</p><main style="height:${bottom * rowPixels}px">${parts.join('\n')}</main>`
}

const style = `
body { margin: 20px; background: #111217; color: #ccccdc; font: 13px/1.4 sans-serif }
h1 { margin: 0; font-size: 20px } p { margin: 0 0 12px; color: #9a9aa8 }
main { position: relative }
section, h2 { position: absolute; box-sizing: border-box; margin: 0 }
section { padding: 8px; background: #181b1f; border: 1px solid #2a2d33; border-radius: 3px; overflow: hidden }
h2 { font-size: 15px } h3 { margin: 0 0 4px; font-size: 13px; font-weight: 600 }
svg text { fill: #9a9aa8; font-size: 11px } svg .grid { stroke: #2a2d33 }
svg .threshold { stroke: #e24d42; stroke-dasharray: 5 4 }
svg text.nothing, .nothing { fill: #777; color: #777; font-size: 14px }
.legend { display: flex; flex-wrap: wrap; gap: 0 14px; font-size: 10px; line-height: 1.35; max-height: 54px; overflow: hidden }
.legend i { display: inline-block; width: 10px; height: 3px; margin-right: 5px; vertical-align: middle }
.stats { display: flex; gap: 10px } .stats div { flex: 1; padding-top: 18px; text-align: center }
.stats span { display: block } .stats b { font-size: 20px; font-weight: 600; white-space: nowrap }
.green { color: #73bf69 } .orange { color: #ff9830 } .red { color: #f2495c }
ul { margin: 0; padding-left: 18px; columns: 2 }
`
