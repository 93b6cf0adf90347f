import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { policyCategoryIds } from '../../policy/policy.ts'
import { type Costs, publishBelow, readCosts, violationCost } from './costs.ts'
import { thresholds } from './thresholds.ts'

const { costs } = thresholds
const scores = Object.fromEntries(policyCategoryIds.map((id) => [id, 0])) as Record<
  (typeof policyCategoryIds)[number],
  number
>
const anyCosts: fc.Arbitrary<Costs> = fc.record({
  prior: fc.double({ min: 0.001, max: 0.5, noNaN: true }),
  trusted: fc.double({ min: 0.01, max: 1, noNaN: true }),
  review: fc.double({ min: 0.1, max: 10, noNaN: true }),
  delay: fc.double({ min: 0.1, max: 10, noNaN: true }),
  published_violation: fc.record({ default: fc.double({ min: 1, max: 10_000, noNaN: true }) }),
})

test('the threshold is where publishing costs as much as a review plus the wait', () => {
  const limit = publishBelow(costs, 'new')
  const odds = (limit / (1 - limit)) * (costs.prior / (1 - costs.prior))
  const probability = odds / (1 + odds)
  const { review, delay, published_violation } = costs
  assert.ok(Math.abs(probability * published_violation.default - (review + delay)) < 1e-9)
})

test('costlier violations and more abuse make the threshold stricter; costlier reviews and trust make it looser', () => {
  fc.assert(
    fc.property(anyCosts, (one) => {
      const limit = publishBelow(one, 'new')
      assert.ok(limit > 0 && limit < 1)
      // Two limits that differ only by rounding are equal.
      const [lowest, highest] = [limit * (1 - 1e-12), limit * (1 + 1e-12)]
      assert.ok(publishBelow(one, 'trusted') >= lowest)
      assert.ok(publishBelow(one, 'new', one.published_violation.default * 2) <= highest)
      assert.ok(publishBelow({ ...one, review: one.review * 2 }, 'new') >= lowest)
      assert.ok(publishBelow({ ...one, prior: one.prior / 2 }, 'new') >= lowest)
    }),
    {
      examples: [
        [
          {
            prior: 0.058108963025039644,
            trusted: 0.9999999999999998,
            review: 0.1,
            delay: 1.6864437250942683,
            published_violation: { default: 124.48050652487224 },
          },
        ],
      ],
    },
  )
})

test('a category with its own cost counts in proportion to its score', () => {
  const own = readCosts('{"published_violation": {"spam": 10}}', costs)
  assert.equal(violationCost(own, { ...scores, spam: 0.5 }), 10)
  assert.equal(
    violationCost(own, { ...scores, spam: 0.2, hate_harassment: 0.2 }),
    (10 + costs.published_violation.default) / 2,
  )
  assert.equal(violationCost(own, scores), costs.published_violation.default)
})

test('invalid costs are rejected with the path of the error', () => {
  assert.throws(() => readCosts('{"prior": 2}', costs), /MODERATION_COSTS is invalid at \/prior/)
  assert.throws(() => readCosts('not JSON', costs), /MODERATION_COSTS is invalid/)
  assert.throws(() => readCosts('{"published_violation": {"rudeness": 3}}', costs), /published_violation/)
  assert.deepEqual(readCosts('{"review": 3}', costs), { ...costs, review: 3 })
})
