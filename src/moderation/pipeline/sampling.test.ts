import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drawSample } from './sampling.ts'

test('two percent of publications and ten percent of rejections are sampled, and more if the decision table requests it', () => {
  const drawn = (outcome: Parameters<typeof drawSample>[0]['outcome'], sample?: number) =>
    Array.from({ length: 1_000 }, (_, number) => drawSample({ outcome, sample }, () => number / 1_000)).filter(
      (share) => share !== null,
    )
  assert.deepEqual([drawn('publish').length, drawn('publish')[0]], [20, 0.02])
  assert.deepEqual([drawn('publish', 0.2).length, drawn('publish', 0.2)[0]], [200, 0.2])
  assert.deepEqual([drawn('low_quality').length, drawn('abuse').length], [100, 100])
  for (const outcome of ['review', 'remove', 'restore'] as const) assert.equal(drawn(outcome, 0.2).length, 0, outcome)
})
