import assert from 'node:assert/strict'
import { test } from 'node:test'
import { intervalBars, rankedBars, shareBars } from './row-charts.ts'

const rects = (chart: string) =>
  [...chart.matchAll(/<rect class="([\w-]+)"(?: x="([\d.-]+)")?(?: y="\d")? width="([\d.]+)" height="\d+"\/>/g)]
    .map(([, name, x, width]) => `${name} ${x ?? 0} ${width}`)
    .filter((rect) => !rect.endsWith(' 0 10'))

test('ranked bars are on one scale, longest first, without empty rows', () => {
  const chart = rankedBars({
    title: 'Rejected <today>',
    series: ['by the model', 'by a person'],
    rows: [
      { label: 'Spam', values: [1, 1] },
      { label: 'Scams', values: [3, 1] },
      { label: 'Hate', values: [0, 0] },
    ],
  })
  assert.deepEqual(rects(chart), ['series-1 0.0 75.0', 'series-2 75.0 25.0', 'series-1 0.0 25.0', 'series-2 25.0 25.0'])
  assert.match(chart, /role="img" aria-label="Rejected &#60;today&#62;\. Scams 4, Spam 2\."/)
  assert.doesNotMatch(chart, /Hate|<today>|style=/)
})

test('share bars fill the row, and say each share', () => {
  const chart = shareBars({
    title: 'Outcomes',
    series: ['Published', 'Rejected'],
    rows: [{ label: 'Ordinary', values: [0.9, 0.1] }],
  })
  assert.deepEqual(rects(chart), ['series-1 0.0 90.0', 'series-2 90.0 10.0'])
  assert.match(chart, /<span class="total">90% · 10%<\/span>/)
  assert.match(chart, /aria-label="Outcomes\. Ordinary: Published 90%, Rejected 10%\."/)
})

test('an interval is a band with a line at the measured value, and a missing figure is a dash', () => {
  const chart = intervalBars({
    title: 'Accuracy',
    series: ['Precision', 'Recall'],
    rows: [
      { label: 'Spam', estimates: [{ value: 0.5, low: 0.25, high: 0.75 }, null] },
      { label: 'Scams', estimates: [{ value: 0.8, low: 0.7, high: 0.9 }, null] },
    ],
  })
  assert.match(chart, /<rect class="band" x="25\.0" y="1" width="50\.0"/)
  assert.match(chart, /<rect class="point" x="49\.4" width="1\.2"/)
  assert.match(chart, /<span class="bar">–<\/span>/)
  assert.match(chart, /Precision from 0\.50 \(Spam\) to 0\.80 \(Scams\)\. Recall: no figures\./)
})
