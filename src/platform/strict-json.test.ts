import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseStrictJson } from './strict-json.ts'

test('all JSON written by a program is read back unchanged', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      assert.deepEqual(parseStrictJson(text), JSON.parse(text))
    }),
  )
})

test('the same name in two objects or inside a string is not a duplicate', () => {
  for (const text of ['[{"a":1},{"a":2}]', '{"a":{"a":{"a":1}},"b":"\\"a\\": {"}', '{"a":"a","b":["a","a"],"A":"}{"}'])
    assert.deepEqual(parseStrictJson(text), JSON.parse(text))
})

test('a duplicate field is rejected, in any spelling and at any depth', () => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"b":{"c":[{"d":1}]},"a" : 2}',
    '[{"b":{"a":1,"\\u0061":2}}]',
    '{"a\\\\":1,"a\\\\":2}',
    '{"":1,"":2}',
  ])
    assert.throws(() => parseStrictJson(text), SyntaxError, text)
})

test('anything before or after is rejected, and the error does not quote it', () => {
  for (const text of ['', '\ufeff{}', '{} secret', 'secret {}', '{}{}', "{'secret':1}", '{"secret":NaN}', '[1,]'])
    assert.throws(
      () => parseStrictJson(text),
      (error) => error instanceof SyntaxError && !/secret/.test(`${error.message} ${error.cause}`),
      text,
    )
})
