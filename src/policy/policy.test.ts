import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findHiddenCharacter, normalizeText } from '../contract/text/text.ts'
import { policy, policyCategoryIds } from './policy.ts'

const allExamples = policy.categories.flatMap(({ examples }) => [...examples.violating, ...examples.non_violating])

describe('the policy', () => {
  test('takes effect on the day of its version', () => {
    assert.equal(policy.effective_at, `${policy.version}T00:00:00Z`)
  })

  test('has the thirteen categories, each once and in order', () => {
    const expected =
      'hate_harassment sexual sexual_minors violence_threats self_harm illegal_goods scam_fraud spam ' +
      'malware_phishing prompt_injection personal_data impersonation low_quality'
    assert.deepEqual(policyCategoryIds, expected.split(' '))
    assert.deepEqual(
      policy.categories.map(({ id }) => id),
      policyCategoryIds,
    )
  })

  test('charges ten times the price for everything except low quality', () => {
    assert.deepEqual(
      policy.categories.filter(({ abusive }) => !abusive).map(({ id }) => id),
      ['low_quality'],
    )
  })

  test('has a quality bar of six to nine rules with distinct names', () => {
    const ids = policy.quality_bar.map(({ id }) => id)
    assert.ok(ids.length >= 6 && ids.length <= 9)
    assert.equal(new Set(ids).size, ids.length)
    for (const { id, rule } of policy.quality_bar) {
      assert.match(id, /^[a-z]+(_[a-z]+)*$/)
      assert.match(rule, /\.$/)
    }
  })

  for (const { id, title, definition, examples } of policy.categories) {
    test(`${id} says what it covers, what it does not, and the line between`, () => {
      assert.match(title, /^[A-Z]/)
      assert.match(definition, /^Covers .*Does not cover .*The line: .*\.$/)
    })

    test(`${id} has enough examples on both sides`, () => {
      if (id === 'sexual_minors') assert.equal(examples.violating.length, 0)
      else assert.ok(examples.violating.length >= 3)
      assert.ok(examples.non_violating.length >= 3)
    })
  }
})

describe('the examples', () => {
  test('are all different', () => {
    assert.equal(new Set(allExamples).size, allExamples.length)
  })

  test('name the kind of post, and use all four', () => {
    for (const example of allExamples) assert.match(example, /^(?:Message|Story|Classified ad|Event): \S/)
    assert.equal(new Set(allExamples.map((example) => example.split(':')[0])).size, 4)
  })

  test('name only reserved hosts and phone numbers', () => {
    for (const host of allExamples.flatMap((example) => example.match(/\b[a-z-]+(?:\.[a-z-]+)+\b/g) ?? [])) {
      assert.match(host, /(?:\.example|^example\.(?:com|org|net))$/)
    }
    for (const number of allExamples.flatMap((example) => example.match(/\b\d{3}[- ]\d{3,}\b/g) ?? [])) {
      assert.match(number, /^555-01\d\d$/)
    }
  })

  test('contain nothing that looks like a card number or a key', () => {
    for (const example of allExamples) {
      assert.doesNotMatch(example, /\d(?:[ -]?\d){9,}/)
      assert.doesNotMatch(example, /\b(?:bsk|sk|pk|ghp|whsec|AKIA)[_-]?\w{8,}|[\w+/-]{28,}/)
    }
  })
})

test('every string is NFC, on one line, and free of hidden characters', () => {
  for (const text of stringsIn(policy)) {
    assert.equal(normalizeText(text), text)
    assert.equal(findHiddenCharacter(text, { oneLine: true }), null)
    assert.equal(text.trim(), text)
    assert.doesNotMatch(text, / {2}/)
  }
})

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(stringsIn) : []
}
