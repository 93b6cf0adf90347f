import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { thresholds } from '../../../src/moderation/decisions/thresholds.ts'
import { installThresholds, installWeights, readThresholds, thresholdsOf, writeThresholds } from './install-model.ts'

function temporary() {
  const path = mkdtempSync(join(tmpdir(), 'weights-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true }) }
}

test('all files of a candidate replace the live ones', () => {
  using candidate = temporary()
  using live = temporary()
  const shipped = join(import.meta.dirname, '../../weights/local')
  const names = readdirSync(shipped).filter((name) => !['benchmarks.json', 'history.json'].includes(name))
  for (const name of names) writeFileSync(join(candidate.path, name), `the candidate's ${name}`)
  installWeights(candidate.path, live.path)
  assert.deepEqual(readdirSync(live.path).sort(), names.sort())
  for (const name of names) assert.equal(readFileSync(join(live.path, name), 'utf8'), `the candidate's ${name}`)
})

test('a candidate uses its own thresholds for its scores, and the live ones for everything else', () => {
  using candidate = temporary()
  const own = { ...thresholds, model: 'candidate', local: { ...thresholds.local, suspect: 0.911 } }
  writeThresholds(join(candidate.path, 'thresholds.json'), own)
  const live = { ...thresholds, rules: { hint: 0.33, certain: 0.77 } }
  assert.deepEqual(thresholdsOf(candidate.path, 'candidate', live), { ...own, rules: live.rules })
})

test('a candidate without thresholds, or with those of other weights, is rejected with instructions', () => {
  using candidate = temporary()
  assert.throws(() => thresholdsOf(candidate.path, 'candidate', thresholds), /is missing.+npm run train -- moderation/)
  writeThresholds(join(candidate.path, 'thresholds.json'), { ...thresholds, model: 'another' })
  assert.throws(() => thresholdsOf(candidate.path, 'candidate', thresholds), /chosen for another.+npm run train/)
})

test('changed thresholds get the next version of the day', () => {
  using place = temporary()
  const path = join(place.path, 'thresholds.json')
  writeThresholds(path, { ...thresholds, version: '2026-03-01.9', model: 'first' })
  const install = (model: string, today: string) => installThresholds(path, { ...thresholds, model }, today)
  assert.equal(install('first', '2026-03-01'), '2026-03-01.9')
  assert.equal(install('second', '2026-03-01'), '2026-03-01.10')
  assert.equal(install('third', '2026-03-02'), '2026-03-02.1')
  assert.deepEqual(readThresholds(path), { ...thresholds, model: 'third', version: '2026-03-02.1' })
})
