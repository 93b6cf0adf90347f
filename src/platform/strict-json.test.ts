import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseStrictJson } from './strict-json.ts'

test('all JSON that a program writes is read as it was', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      assert.deepEqual(parseStrictJson(text), JSON.parse(text))
    }),
  )
})

test('the same name in two objects, or in a text, is no repetition', () => {
  for (const text of ['[{"a":1},{"a":2}]', '{"a":{"a":{"a":1}},"b":"\\"a\\": {"}', '{"a":"a","b":["a","a"],"A":"}{"}'])
    assert.deepEqual(parseStrictJson(text), JSON.parse(text))
})

test('a member that stands twice is refused, however it is written and wherever it stands', () => {
  for (const text of [
    '{"a":1,"a":1}',
    '{"a":1,"b":{"c":[{"d":1}]},"a" : 2}',
    '[{"b":{"a":1,"\\u0061":2}}]',
    '{"a\\\\":1,"a\\\\":2}',
    '{"":1,"":2}',
  ])
    assert.throws(() => parseStrictJson(text), SyntaxError, text)
})

test('anything before or after is refused, and the fault does not quote it', () => {
  for (const text of ['', '\ufeff{}', '{} secret', 'secret {}', '{}{}', "{'secret':1}", '{"secret":NaN}', '[1,]'])
    assert.throws(
      () => parseStrictJson(text),
      (error) => error instanceof SyntaxError && !/secret/.test(`${error.message} ${error.cause}`),
      text,
    )
})
