import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { thresholds } from '../../../src/moderation/decisions/thresholds.ts'
import { readWeights } from '../../server/local/scoring/weights.ts'
import { installThresholds, installWeights, readThresholds, thresholdsOf, writeThresholds } from './install-model.ts'
import { about, makeWeights, temporary } from './small-weights.ts'
import { writeWeights } from './write-weights.ts'

test('all files of a candidate replace the live ones', async () => {
  using candidate = temporary()
  using live = temporary()
  writeWeights(candidate.path, makeWeights(2), about)
  writeWeights(live.path, makeWeights(1), about)
  installWeights(candidate.path, live.path)
  assert.deepEqual(await readWeights(live.path), await readWeights(candidate.path))
  assert.deepEqual(readdirSync(live.path).sort(), readdirSync(candidate.path).sort())
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
