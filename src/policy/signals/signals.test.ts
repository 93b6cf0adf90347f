import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyCategoryIds } from '../policy.ts'
import { minorWords, negations, signals, tellingWords } from './index.ts'

const phrasesOf = signals.map(({ category, strong, weak, whole = [] }) => ({
  category,
  phrases: [strong, weak, whole],
}))
const all = [...phrasesOf.flatMap(({ phrases }) => phrases.flat()), ...minorWords, ...negations, ...tellingWords]

test('every category has its signals, in the order of the policy', () => {
  assert.deepEqual(
    signals.map(({ category }) => category),
    policyCategoryIds,
  )
})

test('a phrase begins with words, is written in plain letters, and has two gaps at most', () => {
  for (const phrase of all) {
    assert.match(
      phrase,
      /^(?:\*\*?|(?:#|[a-z0-9]+)(?:\|(?:#|[a-z0-9]+))*\??)(?: (?:\*\*?|(?:#|[a-z0-9]+)(?:\|(?:#|[a-z0-9]+))*\??))*$/,
      phrase,
    )
    assert.doesNotMatch(phrase, /^\*|^\S+\?|\*$|\* \*/, phrase)
    assert.ok((phrase.match(/\*+/g) ?? []).length <= 2, phrase)
  }
})

test('a strong signal is more than a word that an honest post may need', () => {
  const single = signals.flatMap(({ strong }) => strong).filter((phrase) => !phrase.includes(' '))
  assert.ok(single.length <= 6, single.join('\n'))
})

test('no phrase is listed twice', () => {
  for (const { category, phrases } of phrasesOf) {
    const listed = phrases.flat()
    assert.equal(new Set(listed).size, listed.length, category)
  }
})
