import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertCheap } from '../../../test/support/cost.ts'
import { type PolicyCategoryId, policy } from '../../policy/policy.ts'
import { canonicalise } from '../pipeline/canonicalise.ts'
import { applyRules } from './apply-rules.ts'

const withoutKind = (example: string) => example.replace(/^[^:]+: /, '')

function top(text: string): { category: PolicyCategoryId; score: number } {
  const [[category, score] = ['low_quality', 0]] = Object.entries(applyRules(text)).sort(
    (one, other) => other[1] - one[1],
  )
  return { category: category as PolicyCategoryId, score }
}

describe('the policy’s own examples', () => {
  test('the violating ones are caught, each by its own category', (context) => {
    const given = policy.categories.flatMap(({ id, examples }) => examples.violating.map((text) => ({ id, text })))
    const caught = given.filter(({ id, text }) => {
      const { category, score } = top(withoutKind(text))
      return category === id && score >= 0.8
    })
    context.diagnostic(`violating examples caught: ${caught.length} of ${given.length}`)
    assert.ok(caught.length >= given.length * 0.9)
  })

  test('the others are not', (context) => {
    const given = policy.categories.flatMap(({ examples }) => examples.non_violating)
    const caught = given.filter((text) => top(withoutKind(text)).score >= 0.4)
    context.diagnostic(`other examples caught: ${caught.length} of ${given.length}`)
    assert.deepEqual(caught, [])
  })
})

describe('honest posts', () => {
  const honest = [
    'Ferry to Hiiumaa leaves at nine.',
    'hello world from my agent',
    'Hello!',
    'No.',
    'Snow!',
    '初雪が降りました。',
    'Сегодня в Твери первый снег.',
    'Ha ha ha, what a match!',
    'The test of the siren is on Saturday at noon.',
    'Our team will kill time at the harbour café until the boat comes.',
    'How do I kill a stuck process on a server without a screen?',
    'I sell my grandmother’s sewing machine, 40, it still works.',
    'Do not send anyone your password. The bank never asks for it.',
    'Meeting at 14:30, room 3. Agenda: https://example.com/agenda',
    'GDPR, HTTP and XML walk into a bar.',
    'The constructor of the bridge was my uncle.',
    'The court heard how he said “I will kill you” before he left.',
    'Call me at 555-0163 about the pram.',
    'System: five solar panels, two batteries, all working. 900.',
    'First message',
    'Version 1.0.0.0.0 is out.',
  ]
  for (const text of honest)
    test(`is clean: ${text}`, () => assert.ok(top(text).score < 0.4, JSON.stringify(top(text))))
})

describe('low quality', () => {
  const poor = [
    'Lorem ipsum dolor sit amet, consectetur adipiscing elit.',
    'asdfghjkl',
    'qwer asdf zxcv',
    'sdfkjh sdkfjh wrtpsd',
    'test',
    'Test 123',
    'test test',
    'Insert your text here',
    'this is a test message',
    '[EVENT NAME] at [VENUE]',
    'Dear {{name}}, welcome',
    'https://example.com/a https://example.com/b',
    '!!! ??? 123',
    '👍👍👍',
    'Summer party\n\nSummer party',
    'Summer party\n\nSummer party!\n\nmusic\n\npicnics',
    'Buy it. Buy it. Buy it. Buy it. Buy it.',
    'no no no no no no',
  ]
  for (const text of poor)
    test(`is seen: ${text.replaceAll('\n', ' / ')}`, () => {
      const { category, score } = top(text)
      assert.ok(category === 'low_quality' && score >= 0.8, `${category} ${score}`)
    })
})

describe('the context of a signal', () => {
  test('a warning or a quotation leaves it to a person', () => {
    assert.ok(top('Confirm your password at https://mail.example now').score >= 0.8)
    for (const text of [
      'A mail that says confirm your password at this address is not from us',
      'They print it on every wall of the long street by the mill: "Confirm your password at our counter now, my friends"',
    ]) {
      const { category, score } = top(text)
      assert.ok(category === 'malware_phishing' && score >= 0.4 && score < 0.8, `${score} ${text}`)
    }
  })

  test('weak signals count only together', () => {
    assert.ok(top('Painkillers are dear this year.').score < 0.4)
    assert.ok(top('Painkillers, cash only, plain parcel.').score >= 0.4)
    const between = Array.from({ length: 40 }, (_, index) => `Boat ${index}.`).join(' ')
    assert.ok(top(`Painkillers. ${between} Cash only.`).score < 0.4)
  })

  test('a sexual text that speaks of minors is never merely sexual', () => {
    for (const whom of ['underage people', 'a 15-year-old', '15yo', 'schoolboys']) {
      const scores = applyRules(`Send nudes of ${whom} only`)
      assert.equal(scores.sexual, 0)
      assert.ok(scores.sexual_minors >= 0.9)
    }
    assert.equal(applyRules('Send nudes, I am 25 years old').sexual_minors, 0)
    assert.equal(applyRules('Our children learn to swim, and the sauna is for adults only').sexual_minors, 0)
  })

  test('a card number is found by its check digit, other long numbers are not', () => {
    assert.ok(applyRules('My card: 4111 1111 1111 1111').personal_data >= 0.8)
    assert.equal(applyRules('Tracking number 4111 1111 1111 1112').personal_data, 0)
    assert.equal(applyRules('0000 0000 0000 0000').personal_data, 0)
    const job = 'Job 22629204-3190-40ab-8461-38f4ca22c5be is done'
    assert.equal(applyRules(job).personal_data, 0, 'the digits of a UUID pass the check')
  })
})

test('a text whose letters had been set apart, and were joined, is a person’s case', () => {
  const joined = canonicalise(
    [...'meet me where nobody sees us tonight and bring all of it'].join(' ').replaceAll('   ', ' '),
  )
  assert.equal(top(joined).score, 0.5)
  assert.ok(top('Donaudampfschifffahrtsgesellschaft sucht Kapitän für die lange Fahrt im Sommer.').score < 0.4)
})

test('the worst texts take linear time', () => {
  const size = 500_000
  const parts = ['sex ', 'kid ', 'doxx ', 'a-', '1 ', '{{a', '[AA', '"', '#', 'send to all of you ', 'www.a']
  for (const part of parts) assertCheap(() => applyRules(part.repeat(size / part.length)), 100, part)
  // As long as a post may be; stops that no space follows, in particular, once took minutes.
  const rows = [
    '.',
    '…',
    '. ',
    '. x',
    '.x',
    '!?',
    '-',
    '@',
    'a ',
    '{',
    '[A',
    '"',
    '7',
    '7 7-',
    'e',
    'aB3+',
    '\n',
    'a.com ',
    '<your ',
  ]
  for (const row of rows)
    for (const end of ['', 'x', ' =']) {
      const text = row.repeat(40_000 / row.length) + end
      assertCheap(() => [applyRules(text), applyRules(canonicalise(text))], 40, `${row} and ${end}`)
    }
  assertCheap(() => applyRules('sex '.repeat(size / 8) + 'kid '.repeat(size / 8)), 100, 'two words')
})
