import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { openEncoder } from '../encoder/compare.ts'
import { nearnessOf } from './kernel.ts'
import { readWeights } from './weights.ts'

test('ONNX Runtime compares vectors with the training posts like the plain loop', async () => {
  const { weights } = await readWeights(join(import.meta.dirname, '../../../weights/local'))
  const encode = await openEncoder(weights.kernel)
  const texts = ['Bike for sale, blue, two years old.', 'Send me the code from your phone now.', '.', 'Ada']
  for (const { embedding, nearness } of await encode(texts))
    assert.ok(Math.abs(nearness - nearnessOf(weights.kernel, embedding)) < 1e-3)
  assert.deepEqual(await encode([]), [])
})
