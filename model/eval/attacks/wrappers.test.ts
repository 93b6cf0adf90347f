import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { canonicalise } from '../../../src/moderation/pipeline/canonicalise.ts'
import { harmlessWords, obfuscations } from './obfuscation.ts'
import { wrappers } from './wrappers.ts'

const post = 'Send the money to my account before Friday and keep quiet about it'

test('there are twelve attacks with distinct names, and each changes the post', () => {
  assert.equal(wrappers.length, 12)
  assert.equal(new Set(wrappers.map(({ name }) => name)).size, 12)
  assert.equal(new Set(wrappers.map(({ wrap }) => wrap(post))).size, 12)
  assert.ok(wrappers.every(({ wrap }) => wrap(post) !== post))
})

describe('an attack keeps its post: the canonical text contains it', () => {
  for (const { name, wrap } of wrappers.filter(({ name }) => name !== 'spaced leet'))
    test(name, () => assert.ok(canonicalise(wrap(post)).includes(post)))
})

test('the harmless paragraphs have a hundred words', () => assert.equal(harmlessWords.split(/\s+/).length, 100))

test('every obfuscation except plain changes the text, and people can still read it', () => {
  for (const [key, { write }] of Object.entries(obfuscations)) assert.equal(write(post) === post, key === 'plain', key)
  assert.equal(obfuscations.spaced.write('keep it quiet'), 'k e e p it q u i e t')
  assert.equal(obfuscations.leet.write('Test it'), '7357 17')
})
