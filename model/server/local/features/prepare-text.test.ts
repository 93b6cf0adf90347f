import assert from 'node:assert/strict'
import { test } from 'node:test'
import { cutText, prepareText } from './prepare-text.ts'

test('a text becomes one line with entities decoded', () => {
  assert.equal(prepareText('  Salt &amp; pepper\n\n for\tall &lt;3 '), 'Salt & pepper for all <3')
})

test('a cut never splits a surrogate pair', () => {
  assert.equal(cutText('ab😀cd', 3), 'ab')
  assert.equal(cutText('ab😀cd', 4), 'ab😀')
  assert.equal(cutText('short', 100), 'short')
})
