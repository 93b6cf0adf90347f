import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { averagePrecision, bootstrap, calibrationError, precisionAndRecall, quantile, shareOf } from './metrics.ts'

const near = (actual: number | null | undefined, expected: number) =>
  assert.ok(Math.abs(Number(actual) - expected) < 1e-9, `${actual} is not ${expected}`)

const scored = (...pairs: [score: number, positive: 0 | 1][]) =>
  pairs.map(([score, positive]) => ({ score, positive: positive === 1 }))

describe('average precision', () => {
  test('is one when every positive ranks before every negative', () =>
    near(averagePrecision(scored([0.9, 1], [0.8, 1], [0.2, 0], [0.1, 0])), 1))

  test('averages the precision at each positive', () =>
    // Positives at ranks 1, 3 and 4: (1/1 + 2/3 + 3/4) / 3.
    near(averagePrecision(scored([0.9, 1], [0.8, 0], [0.7, 1], [0.6, 1], [0.5, 0])), (1 + 2 / 3 + 3 / 4) / 3))

  test('is the base rate when all scores are equal, in any order', () => {
    near(averagePrecision(scored([0.5, 1], [0.5, 0], [0.5, 0], [0.5, 0])), 0.25)
    near(averagePrecision(scored([0.5, 0], [0.5, 0], [0.5, 0], [0.5, 1])), 0.25)
  })

  test('is undefined without a positive', () => assert.equal(averagePrecision(scored([0.5, 0])), null))
})

describe('precision and recall', () => {
  const rows = (...pairs: [0 | 1, 0 | 1][]) =>
    pairs.map(([flagged, positive]) => ({ flagged: flagged === 1, positive: positive === 1 }))

  test('count flagged and expected posts', () => {
    const { precision, recall } = precisionAndRecall(rows([1, 1], [1, 0], [1, 0], [0, 1], [0, 1], [0, 1], [0, 0]))
    near(precision, 1 / 3)
    near(recall, 1 / 4)
  })

  test('are undefined when there is nothing to divide by', () =>
    assert.deepEqual(precisionAndRecall(rows([0, 0])), { precision: null, recall: null }))
})

describe('the bootstrap', () => {
  const halves = Array.from({ length: 100 }, (_, index) => index < 50)

  test('gives the theoretical interval, and the same one each time', () => {
    const share = shareOf(halves)
    assert.ok(share)
    // Theory: 1.96 standard errors of a share of one half in a sample of a hundred are 0.098.
    assert.ok(Math.abs(share.low - 0.402) <= 0.02, `${share.low}`)
    assert.ok(Math.abs(share.high - 0.598) <= 0.02, `${share.high}`)
    assert.deepEqual(shareOf(halves), share)
  })

  test('ignores samples without a value', () => {
    const interval = bootstrap([1, 2], (drawn) => (drawn.includes(2) ? 7 : null))
    assert.deepEqual(interval, { low: 7, high: 7 })
    assert.equal(
      bootstrap([1], () => null),
      null,
    )
    assert.equal(
      bootstrap([], () => 1),
      null,
    )
  })

  test('a quantile is interpolated between its neighbours', () => {
    near(quantile([1, 2, 3, 4], 0.5), 2.5)
    near(quantile([1, 2, 3, 4], 0), 1)
    near(quantile([1, 2, 3, 4], 1), 4)
    near(quantile([10], 0.975), 10)
  })
})

describe('a share', () => {
  test('that was never seen is bounded by the size of the sample', () => {
    // If the share were 9.7 %, a sample of 36 would show none with a probability of 2.5 %.
    const share = shareOf(Array<boolean>(36).fill(false))
    assert.equal(share?.share, 0)
    assert.equal(share?.low, 0)
    near((1 - Number(share?.high)) ** 36, 0.025)
  })

  test('that was always seen is bounded likewise', () => {
    const share = shareOf(Array<boolean>(36).fill(true))
    assert.equal(share?.high, 1)
    near(Number(share?.low) ** 36, 0.025)
  })

  test('of an empty sample is undefined', () => assert.equal(shareOf([]), null))
})

describe('the calibration error', () => {
  test('is zero when the scores match the observed shares', () =>
    near(calibrationError(scored([0.5, 1], [0.5, 0], [1, 1], [0, 0])), 0))

  test('weights each bin by its size', () =>
    // Bin 0.2 has three items with a score of 0.2 and one positive: |0.6 − 1|. Bin 0.9 has one positive item with 0.95:
    // |0.95 − 1|. The sum is divided by four.
    near(calibrationError(scored([0.2, 1], [0.2, 0], [0.2, 0], [0.95, 1])), (0.4 + 0.05) / 4))

  test('is undefined for an empty sample', () => assert.equal(calibrationError([]), null))
})
