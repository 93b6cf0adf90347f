import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JudgeReading } from './adapter.ts'
import { worstOf } from './worst-reading.ts'

type Short = [verdict: JudgeReading['verdict'], category: JudgeReading['category'], score: number]
const reading = ([verdict, category, score]: Short) => ({ answer: { verdict, category, score } })

const rows: [name: string, parts: Short[], whole: Short][] = [
  ['one part is the whole', [['reject', 'low_quality', 0.9]], ['reject', 'low_quality', 0.9]],
  [
    'of two that accept, the less sure',
    [
      ['accept', null, 0.9],
      ['accept', null, 0.6],
    ],
    ['accept', null, 0.6],
  ],
  [
    'a doubt before an acceptance',
    [
      ['accept', null, 1],
      ['review', null, 0.1],
    ],
    ['review', null, 0.1],
  ],
  [
    'a refusal before a doubt',
    [
      ['review', 'scam_fraud', 1],
      ['reject', 'spam', 0.1],
    ],
    ['reject', 'spam', 0.1],
  ],
  [
    'minors before all',
    [
      ['review', 'sexual_minors', 0.1],
      ['reject', 'spam', 1],
    ],
    ['review', 'sexual_minors', 0.1],
  ],
  [
    'abuse before low quality',
    [
      ['review', 'spam', 0.1],
      ['reject', 'low_quality', 1],
    ],
    ['review', 'spam', 0.1],
  ],
  [
    'a dull part is a person’s case',
    [
      ['reject', 'low_quality', 0.9],
      ['accept', null, 1],
    ],
    ['review', 'low_quality', 0.9],
  ],
  [
    'dull parts are a dull post',
    [
      ['reject', 'low_quality', 0.9],
      ['reject', 'low_quality', 0.8],
    ],
    ['reject', 'low_quality', 0.9],
  ],
]
for (const [name, parts, whole] of rows)
  test(`the worst of the parts is that of the whole: ${name}`, () => {
    for (const order of [parts, parts.toReversed()]) assert.deepEqual(worstOf(order.map(reading)), reading(whole))
  })

test('that one part addresses a machine is said of the whole', () => {
  const flagged: JudgeReading = { verdict: 'review', category: 'prompt_injection', score: 0.5, addressesMachine: true }
  const { answer } = worstOf([reading(['reject', 'spam', 1]), { answer: flagged }])
  assert.deepEqual(answer, { verdict: 'reject', category: 'spam', score: 1, addressesMachine: true })
})
