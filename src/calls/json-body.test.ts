import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../contract/problems/problem.ts'
import type { ProblemCode } from '../contract/problems/problems.ts'
import { assertJsonBody, parseJson } from './json-body.ts'

const isProblem = (code: ProblemCode) => (error: unknown) => error instanceof Problem && error.code === code

test('an uncompressed JSON body is accepted; any other is rejected with the accepted type', () => {
  const check = (headers: Record<string, string>) => assertJsonBody(headers)
  const json = { 'content-type': 'application/json' }
  for (const headers of [
    json,
    { 'content-type': 'Application/JSON ; charset=utf-8' },
    { ...json, 'content-encoding': 'Identity' },
  ])
    assert.doesNotThrow(() => check(headers), JSON.stringify(headers))
  const refused: Record<string, string>[] = [
    {},
    { 'content-type': '' },
    { 'content-type': 'text/plain' },
    { 'content-type': 'application/jsonp' },
    { 'content-type': 'application/x-www-form-urlencoded' },
    { ...json, 'content-encoding': 'gzip' },
  ]
  for (const headers of refused)
    assert.throws(
      () => check(headers),
      (error) =>
        isProblem('unsupported_media_type')(error) && (error as Problem).headers['accept-post'] === 'application/json',
    )
})

test('valid JSON in UTF-8 is read, and errors never quote the body', () => {
  assert.deepEqual(parseJson(Buffer.from('{"name":"Grüße 🦑"}')), { name: 'Grüße 🦑' })
  assert.equal(parseJson(Buffer.from(' null ')), null)
  const refused = [undefined, '', '{', '{"hush":1} {}', "{'hush':1}", 'hush', '[1,]', '[NaN]', '['.repeat(100_000)]
  for (const text of refused)
    assert.throws(
      () => parseJson(text === undefined ? undefined : Buffer.from(text)),
      (error) => isProblem('malformed_json')(error) && !/hush/.test((error as Error).message),
      String(text).slice(0, 50),
    )
  assert.throws(() => parseJson(Buffer.from([0x22, 0xff, 0x22])), isProblem('malformed_json'), 'not UTF-8')
  assert.throws(() => parseJson(Buffer.from('"x"', 'utf16le')), isProblem('malformed_json'), 'another encoding')
})
