import assert from 'node:assert/strict'
import { test } from 'node:test'
import { jsonInHtml } from './json-in-html.ts'

test('JSON in a script element parses to the same value and cannot end the element', () => {
  const value = { '</script>': '<!--<script>&amp;]]>\u2028\u2029\uD800"\\' }
  const text = jsonInHtml(value)
  assert.doesNotMatch(text, /[<>&\u2028\u2029\uD800-\uDFFF]/)
  assert.deepEqual(JSON.parse(text), value)
})
