import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { TextPart } from '../../contract/text/text.ts'
import { ModelError } from '../model-client/model-service.ts'
import type { JudgeReading } from './adapter.ts'
import { maxParts, overlapWords, partWords, splitPost, worstOf } from './post-parts.ts'

const post = (...texts: TextPart[]) => ({ kind: 'story', authorName: 'Harbour Bot', texts })
const numbered = (count: number) => Array.from({ length: count }, (_, index) => `w${index}`)
const wordsOf = (texts: readonly TextPart[]) => texts.flatMap(({ text }) => text.split(/\s+/).filter(Boolean))

test('every word of a post is in some part with its neighbours, whatever the field lengths', () => {
  const separator = fc.constantFrom(' ', '\n', ' \n\n', '\t')
  const text = fc.record({ count: fc.integer({ min: 0, max: 1_500 }), separator })
  fc.assert(
    fc.property(fc.array(text, { maxLength: 6 }), (asked) => {
      const texts = asked.map((one, index) => ({
        field: `f${index}`,
        text: numbered(one.count)
          .map((word) => `${word}f${index}`)
          .join(one.separator),
      }))
      const parts = splitUnlessTooLong(post(...texts))
      if (!parts) return
      const seen = new Set(parts.flatMap(({ post }) => triplesOf(post.texts)))
      for (const triple of triplesOf(texts)) assert.ok(seen.has(triple), triple)
      for (const { post } of parts) assert.ok(wordsOf(post.texts).length <= partWords + 100)
      assert.deepEqual(
        parts.map(({ number, of }) => [number, of]),
        parts.map((_, index) => [index + 1, parts.length]),
      )
    }),
    { numRuns: 60 },
  )
})

/** Words that follow one another within a field. */
const triplesOf = (texts: readonly TextPart[]) =>
  texts.flatMap((part) => {
    const words = wordsOf([part])
    return words.map((_, index) => words.slice(index, index + 3).join(' ')).slice(0, Math.max(1, words.length - 2))
  })

function splitUnlessTooLong(asked: ReturnType<typeof post>) {
  try {
    return splitPost(asked)
  } catch (error) {
    assert.ok(error instanceof ModelError && error.kind === 'too_long')
    assert.ok(wordsOf(asked.texts).length > (maxParts - 1) * (partWords - overlapWords))
    return null
  }
}

test('a text without spaces is split into parts of limited size', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
      fc.integer({ min: 1, max: 500 }),
      (unit, times) => {
        const text = Array.from({ length: times }, (_, index) => `${unit}${index}`).join('')
        const parts = splitUnlessTooLong(post({ field: 'body', text }))
        if (!parts) return
        const written = parts.map((part) => part.post.texts.map((one) => one.text).join('')).join('\n')
        // The last word's number may be a prefix of another's.
        for (let index = 0; index < times - 1; index++) assert.ok(written.includes(`${unit}${index}${unit}`.trim()))
      },
    ),
    { numRuns: 50 },
  )
  const chinese = '渡轮九点开往希乌马岛今天风很小'.repeat(400)
  const parts = splitPost(post({ field: 'body', text: chinese }))
  assert.ok(parts.length > 1)
  for (const { post } of parts) assert.ok(String(post.texts[0]?.text).length <= partWords * 12)
})

test('a short post is one part, unchanged', () => {
  const asked = post({ field: 'title', text: 'Bolts' }, { field: 'body', text: numbered(300).join('\n') })
  assert.deepEqual(splitPost(asked), [{ post: asked, number: 1, of: 1 }])
})

test('every part has the title and the topics; parts overlap and have equal size', () => {
  const title = { field: 'title', text: 'The bolts of our bridge' }
  const topic = { field: 'topics/0', text: 'bridges' }
  const parts = splitPost(post(title, { field: 'body', text: numbered(2_500).join(' ') }, topic))
  assert.equal(parts.length, 10)
  for (const { post } of parts) assert.deepEqual(post.texts.slice(0, 2), [title, topic])
  const bodies = parts.map(({ post }) => wordsOf(post.texts.slice(2)))
  for (const [index, body] of bodies.entries()) {
    assert.ok(body.length >= partWords - 10 && body.length <= partWords)
    if (index > 0) assert.deepEqual(body.slice(0, overlapWords), bodies[index - 1]?.slice(-overlapWords))
  }
})

test('a post with too many parts is a permanent fault', () => {
  const longest = (partWords - overlapWords) * maxParts + overlapWords
  assert.equal(splitPost(post({ field: 'body', text: numbered(longest).join(' ') })).length, maxParts)
  assert.throws(
    () => splitPost(post({ field: 'body', text: numbered(longest + 1).join(' ') })),
    (error) => error instanceof ModelError && error.kind === 'too_long' && !/w\d/.test(error.message),
  )
})

type Short = [verdict: JudgeReading['verdict'], category: JudgeReading['category'], score: number]
const reading = ([verdict, category, score]: Short) => ({ answer: { verdict, category, score } })

const rows: [name: string, parts: Short[], whole: Short][] = [
  ['one part is the whole', [['reject', 'low_quality', 0.9]], ['reject', 'low_quality', 0.9]],
  [
    'of two acceptances, the less confident one',
    [
      ['accept', null, 0.9],
      ['accept', null, 0.6],
    ],
    ['accept', null, 0.6],
  ],
  [
    'a review before an acceptance',
    [
      ['accept', null, 1],
      ['review', null, 0.1],
    ],
    ['review', null, 0.1],
  ],
  [
    'a rejection before a review',
    [
      ['review', 'scam_fraud', 1],
      ['reject', 'spam', 0.1],
    ],
    ['reject', 'spam', 0.1],
  ],
  [
    'minors before everything else',
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
    'one low-quality part leads to a review',
    [
      ['reject', 'low_quality', 0.9],
      ['accept', null, 1],
    ],
    ['review', 'low_quality', 0.9],
  ],
  [
    'only low-quality parts lead to a rejection',
    [
      ['reject', 'low_quality', 0.9],
      ['reject', 'low_quality', 0.8],
    ],
    ['reject', 'low_quality', 0.9],
  ],
]
for (const [name, parts, whole] of rows)
  test(`the worst part decides for the whole post: ${name}`, () => {
    for (const order of [parts, parts.toReversed()]) assert.deepEqual(worstOf(order.map(reading)), reading(whole))
  })

test('if one part addresses a machine, the whole post does', () => {
  const flagged: JudgeReading = { verdict: 'review', category: 'prompt_injection', score: 0.5, addressesMachine: true }
  const { answer } = worstOf([reading(['reject', 'spam', 1]), { answer: flagged }])
  assert.deepEqual(answer, { verdict: 'reject', category: 'spam', score: 1, addressesMachine: true })
})
