import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { benchmarkFigures } from '../../../src/policy/scoreboard.ts'
import { figureNames, findBenchmarks } from './benchmarks.ts'
import { benchmarkTable } from './tables.ts'

const figures = [
  {
    ...{ name: 'hatecheck', what: 'held out', n: 3728, positives: 2563 },
    ...{ average_precision: 0.789, interval_95: [0.77, 0.81], keyword_average_precision: 0.7 },
    ...{ at_half: { precision: 0.8, recall: 0.6, f1: 0.686 }, false_alarms: { at_half: 0.3, at_nine_tenths: 0.01 } },
  },
  { name: 'other', what: 'Calm words', n: 10, positives: 0, false_alarms: { at_half: 0.2, at_nine_tenths: 0 } },
]

test('figures on public sets become one line per set', () => {
  const folder = mkdtempSync(join(tmpdir(), 'broadside-benchmarks-'))
  try {
    const path = join(folder, 'benchmarks.json')
    assert.deepEqual(findBenchmarks(path), [])
    writeFileSync(path, JSON.stringify({ seed: 1, figures }))
    const found = findBenchmarks(path)
    const name = 'HateCheck: 3728 texts, 2563 violating'
    assert.deepEqual(found[0], { name, figure: 'average precision', value: 0.789, low: 0.77, high: 0.81 })
    assert.equal(found.length, 9)
    assert.deepEqual(benchmarkTable(found).split('\n').slice(2), [
      `| ${name} | 0.789 (0.770–0.810) | 0.700 | 0.686 | 0.800 | 0.600 | 0.300 | 0.010 |`,
      '| Calm words: 10 texts, 0 violating | – | – | – | – | – | 0.200 | 0.000 |',
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

test('the public sets are read under the names they were measured with', () => {
  const names: readonly string[] = Object.values(figureNames)
  assert.deepEqual(
    Object.values(benchmarkFigures).filter((name) => !names.includes(name)),
    [],
  )
})
