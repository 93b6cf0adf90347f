import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { readWeights } from '../../../model/server/local/scoring/weights.ts'
import { thresholds } from './thresholds.ts'

test('the thresholds were chosen for the bundled weights', async () => {
  const { version } = await readWeights(join(import.meta.dirname, '../../../model/weights/local'))
  assert.equal(thresholds.model, version)
})
