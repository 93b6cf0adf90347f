import assert from 'node:assert/strict'
import { test } from 'node:test'
import { barChart } from './bar-chart.ts'

const decided = {
  id: 'decided',
  title: 'Decisions <all>',
  series: ['by the model', 'by a person'],
  bars: [
    { label: '1 May', values: [30, 0] },
    { label: '2 May', values: [0, 0] },
    { label: '3 May', values: [60, 40] },
  ],
}

test('the parts of a bar are stacked, the scale ends at a round number, and zero draws no bar', () => {
  const rects = [
    ...barChart(decided).matchAll(/<rect class="(series-\d)" x="([\d.]+)" y="([\d.]+)" .*?height="([\d.]+)"/g),
  ]
  assert.deepEqual(
    rects.map((match) => match.slice(1)),
    [
      ['series-1', '30.0', '84.0', '36.0'],
      ['series-1', '630.0', '48.0', '72.0'],
      ['series-2', '630.0', '0.0', '48.0'],
    ],
  )
})

test('the description matches the data and is escaped, and there are no inline styles', () => {
  const chart = barChart(decided)
  assert.match(chart, /130 \(by the model 90, by a person 40\) on 3 days. Highest: 100 on 3 May\./)
  assert.match(chart, /aria-labelledby="decided-title decided-text"/)
  assert.doesNotMatch(chart, /<all>|style=/)
})

test('a chart of zeros renders', () => {
  const chart = barChart({ ...decided, series: ['reports'], bars: [{ label: '1 May', values: [0] }] })
  assert.match(chart, />None\.</)
  assert.doesNotMatch(chart, /NaN|Infinity|<rect/)
})
