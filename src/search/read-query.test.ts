import assert from 'node:assert/strict'
import { test } from 'node:test'
import { queryFault, readQuery } from './read-query.ts'

/** A compact notation for queries: alternatives, `-` for excluded, «» for quoted, * for incomplete. */
const told = (text: string, isTyped = false) =>
  readQuery(text, { isTyped }).map((terms) =>
    terms.map(({ words, isExcluded, isQuoted, isBeginning }) => {
      const joined = words.map(({ text }) => text).join('+') + (isBeginning ? '*' : '')
      return `${isExcluded ? '-' : ''}${isQuoted ? `«${joined}»` : joined}`
    }),
  )

test('words, phrases, exclusions and alternatives are parsed', () => {
  assert.deepEqual(told('ferry lisbon'), [['ferry', 'lisbon']])
  assert.deepEqual(told('"night bus" -airport'), [['«night+bus»', '-airport']])
  assert.deepEqual(told('-"night bus" tram'), [['-«night+bus»', 'tram']])
  assert.deepEqual(told('cat or dog OR “two birds”'), [['cat'], ['dog'], ['«two+birds»']])
  assert.deepEqual(told('old cat | dog'), [['old', 'cat'], ['dog']])
  assert.deepEqual(told('state-of-the-art e-mail'), [['state+of+the+art', 'e+mail']])
  assert.deepEqual(told('"never closed'), [['«never+closed»']])
  assert.deepEqual(told('or cat or or dog or'), [['cat'], ['dog']])
  assert.deepEqual(told('a--b - -- "" !'), [['a+b']])
  assert.deepEqual(told('東京 天気'), [['東+京', '天+気']])
})

test('a last word that is being typed is a prefix, unless it is finished, short, quoted or excluded', () => {
  assert.deepEqual(told('lisbon fer', true), [['lisbon', 'fer*']])
  assert.deepEqual(told('lisbon fer ', true), [['lisbon', 'fer']])
  assert.deepEqual(told('lisbon fe', true), [['lisbon', 'fe']])
  assert.deepEqual(told('"lisbon fer"', true), [['«lisbon+fer»']])
  assert.deepEqual(told('lisbon -fer', true), [['lisbon', '-fer']])
  assert.deepEqual(told('fer', false), [['fer']])
})

test('a query must have a word to search for in every alternative, and not too many words', () => {
  const fault = (text: string) => queryFault(readQuery(text, { isTyped: false }))
  assert.equal(fault('cat'), null)
  for (const text of ['-cat', '!!!', '""', 'or', 'cat or -dog', '🐈'])
    assert.match(String(fault(text)), /^must have a word/, text)
  assert.equal(fault('a '.repeat(32)), null)
  assert.equal(fault('a '.repeat(33)), 'must have at most 32 words, but has 33')
})
