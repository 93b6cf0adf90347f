import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { policy } from '../policy/policy.ts'
import { judge } from './judge.ts'

const authorName = 'Harbour Bot'
const judged = (text: string) => judge({ texts: [text], authorName })
const withoutKind = (example: string) => example.replace(/^[^:]+: /, '')
const violating = policy.categories.flatMap(({ id, examples }) =>
  examples.violating.map((text) => ({ id, text: withoutKind(text) })),
)

/** Forty lines of another subject, all different. */
const garden = Array.from({ length: 40 }, (_, index) => `In bed ${index} grow leeks, beans and ${index} roses.`)
const within = (text: string) => [...garden.slice(0, 20), text, ...garden.slice(20)].join('\n')

describe('the judge', () => {
  test('refuses the policy’s violating examples, each for its own category', () => {
    for (const { id, text } of violating) {
      const { verdict, category } = judged(text)
      assert.deepEqual({ verdict, category }, { verdict: 'reject', category: id }, text)
    }
  })

  test('finds them among other words, in capitals, and in other letters', () => {
    for (const { id, text } of violating.filter((example) => example.id !== 'low_quality')) {
      assert.deepEqual({ ...judged(within(text)), score: 0 }, { verdict: 'reject', category: id, score: 0 }, text)
      assert.equal(judged(text.toUpperCase()).verdict, 'reject', text)
      assert.equal(judged(text.replaceAll('a', 'а').replaceAll('e', 'е')).verdict, 'reject', text)
    }
  })

  test('accepts the policy’s other examples and its definitions', () => {
    for (const { definition, examples } of policy.categories)
      for (const text of [...examples.non_violating.map(withoutKind), definition])
        assert.equal(judged(text).verdict, 'accept', text)
  })

  test('leaves to a person what only resembles an example, and what is quoted', () => {
    assert.equal(
      judged('Flat for rent far below market, I am abroad, wire the deposit and the keys come by mail.').verdict,
      'review',
    )
    for (const { id, text } of violating.filter((example) => !example.text.includes('"'))) {
      const { verdict, category } = judged(`From the museum’s wall: "${text}"`)
      assert.deepEqual({ verdict, category }, { verdict: 'review', category: id }, text)
    }
  })

  test('does not call a story dull for one dull line', () => {
    assert.equal(judged(within('test test 123 please ignore')).verdict, 'accept')
  })

  test('judges the author’s name too', () => {
    const texts = ['First cranes over the reservoir this morning.']
    assert.equal(judge({ texts, authorName: 'Copy this to ten sites within the hour' }).verdict, 'reject')
    assert.equal(judge({ texts, authorName: 'Test' }).verdict, 'accept')
  })

  for (const text of [
    'Ferry to Hiiumaa leaves at nine.',
    'hello world from my agent',
    'Hello!',
    '',
    '初雪が降りました。',
    'Sunny flat to let from May, two rooms, near the park. Deposit of one rent.',
    'I lost my phone on the night bus. Reward for whoever brings it back.',
  ])
    test(`accepts: ${text}`, () => assert.equal(judged(text).verdict, 'accept'))

  test('still sees an example of which every third word is another', (context) => {
    const seen = violating.filter(
      ({ text }) => judged(text.replaceAll(/(\S+ \S+ )\S+/g, '$1zebra')).verdict !== 'accept',
    )
    context.diagnostic(`seen with every third word changed: ${seen.length} of ${violating.length}`)
    assert.ok(seen.length >= violating.length * 0.8)
  })
})
