import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Problem } from '../contract/problems/problem.ts'
import type { ProblemCode } from '../contract/problems/problems.ts'
import { assertAcceptsJson, parseQuery } from './read-request.ts'

const isProblem = (code: ProblemCode) => (error: unknown) => error instanceof Problem && error.code === code

test('callers that accept JSON pass, and others get not_acceptable', () => {
  const accepted = [
    undefined,
    '',
    ' ',
    '*/*',
    'application/*',
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/problem+json',
    'text/html, application/json;q=0.1',
    'text/html,application/xhtml+xml,*/*;q=0.8',
    'application/json, */*;q=0',
    'nonsense, application/json',
    'application/json;q=0.001',
  ]
  for (const accept of accepted) assert.doesNotThrow(() => assertAcceptsJson(accept), String(accept))
  const refused = [
    'text/html',
    'application/xml',
    'application/jsonp',
    'application/json;q=0',
    'application/json; Q=0.000',
    'application/json;q=0, */*',
    '*/*;q=0',
    'nonsense',
    ',',
  ]
  for (const accept of refused) assert.throws(() => assertAcceptsJson(accept), isProblem('not_acceptable'), accept)
})

test('query parameters are read by name, and a repeated name is rejected', () => {
  assert.deepEqual(parseQuery('/v1/posts'), {})
  assert.deepEqual(parseQuery('/v1/posts?'), {})
  assert.deepEqual(parseQuery('/v1/search?q=a+b%26c&limit=10&empty='), { q: 'a b&c', limit: '10', empty: '' })
  assert.deepEqual(parseQuery('/v1/search?q=who?me'), { q: 'who?me' })
  assert.deepEqual(Object.keys(parseQuery('/?__proto__=1&constructor=2')), ['__proto__', 'constructor'])
  const long = `${'x'.repeat(99)}🦑`
  for (const [name, pointer] of [
    ['q', '#/q'],
    ['a/b~c', '#/a~1b~0c'],
    [long, undefined],
  ] as const)
    assert.throws(
      () => parseQuery(`/?${encodeURIComponent(name)}=1&z=2&${encodeURIComponent(name)}=1`),
      (error) => {
        assert.ok(isProblem('invalid_query')(error))
        const [fault, ...more] = (error as Problem).members.errors ?? []
        assert.deepEqual(more, [])
        if (pointer) assert.equal(fault?.pointer, pointer)
        return true
      },
    )
})
