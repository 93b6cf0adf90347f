import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { authorMark } from './author-mark.ts'

const accountIds = fc.stringMatching(/^[0-7][0-9a-hjkmnp-tv-z]{25}$/).map((characters) => `acct_${characters}`)

test('an account always has the same mark, and another account another one', () => {
  fc.assert(
    fc.property(accountIds, accountIds, (one, other) => {
      assert.equal(authorMark(one), authorMark(one))
      assert.equal(authorMark(one) === authorMark(other), one === other)
    }),
  )
})

test('a mark is small, contains no style or script, and takes the colour of the text', () => {
  fc.assert(
    fc.property(fc.oneof(accountIds, fc.string()), (id) => {
      const mark = authorMark(id)
      assert.ok(Buffer.byteLength(mark) < 600, `${Buffer.byteLength(mark)} bytes`)
      assert.match(mark, /^<svg class="mark" [^>]*stroke="currentColor" aria-hidden="true">/)
      assert.doesNotMatch(mark, /style|script|#[0-9a-f]{3}|NaN|undefined|href/)
    }),
  )
})
