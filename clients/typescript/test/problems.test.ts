import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { exampleProblem } from '../../../src/contract/problems/example-problem.ts'
import { problemCodes, problems } from '../../../src/contract/problems/problems.ts'
import * as library from '../src/index.ts'
import { BroadsideError, BroadsideProblem, isProblem, ValidationFailedError } from '../src/index.ts'
import { clientOf, hangUp, json, type Reply, refuse, serve } from './misbehaving-server.ts'

const caught = (promise: Promise<unknown>) =>
  promise.then(
    () => assert.fail('nothing was thrown'),
    (error: unknown) => error,
  )
const origins = { baseUrl: 'https://m.example', accountPageUrl: 'https://account.example' }

suite('every problem of the catalog is an error of its own class', () => {
  for (const code of problemCodes)
    test(code, async () => {
      const document = exampleProblem(origins, code)
      const { status } = problems[code]
      await using server = await serve(json(status, document, { 'content-type': 'application/problem+json' }))
      const error = await caught(clientOf(server, { maxRetries: 0 }).getStatus())
      const words = code.split('_').map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      const name = `${words.join('').replace(/Error$/, '')}Error`
      const Class = (library as Record<string, unknown>)[name] as typeof BroadsideProblem
      assert.ok(error instanceof Class && error instanceof BroadsideProblem && error instanceof BroadsideError)
      assert.ok(isProblem(error, code))
      assert.deepEqual([error.name, error.code, error.status], [name, code, status])
      assert.deepEqual([error.detail, error.requestId], [document.detail, document.instance])
      assert.equal(error.accountUrl !== undefined, problems[code].retry === 'after_owner')
      const others = problemCodes.filter((other) => other !== code)
      assert.ok(!isProblem(error, ...others))
    })
})

test('a message names the invalid fields, what is valid, the call and the request, and no value that was sent', async () => {
  const errors = [
    { pointer: '#/text', detail: 'is required' },
    { pointer: '#/topics', detail: 'must be an array', expected: ['harbour'] },
    { pointer: '#/category', detail: 'is not known', allowed: ['free', 'jobs'], closest: 'jobs' },
    { pointer: '#/condition', detail: 'is not known', allowed: ['new', 'used'] },
  ]
  const more = { detail: 'The body has 2 invalid fields.', errors }
  await using server = await serve(refuse(422, 'validation_failed', {}, more))
  const error = await caught(clientOf(server).submitPost({ text: 'a secret' }))
  assert.ok(error instanceof ValidationFailedError)
  const request = `(POST /v1/posts, request ${'a'.repeat(32)})`
  assert.equal(
    error.message,
    'validation_failed: The body has 2 invalid fields. /text is required; /topics must be an array ' +
      '(expected: ["harbour"]); /category is not known (did you mean jobs?); ' +
      `/condition is not known (allowed: new, used) ${request}`,
  )
  assert.deepEqual(error.errors, errors)
  assert.match(String(error.stack), /^ValidationFailedError: validation_failed/)
})

test('a message names five fields and counts the others', async () => {
  const errors = Array.from({ length: 9 }, (_, index) => ({ pointer: `#/f${index}`, detail: 'is not known' }))
  await using server = await serve(refuse(422, 'validation_failed', {}, { errors }))
  const error = (await caught(clientOf(server).getPost('post_1'))) as Error
  assert.match(error.message, /\/f4 is not known; and 4 more \(GET \/v1\/posts\/\{id\}, request/)
})

test('the wait is read from the header or the document', async () => {
  await using server = await serve(
    refuse(429, 'rate_limited', { 'retry-after': '90' }),
    refuse(422, 'validation_failed', {}, { retry_after_seconds: 7 }),
    refuse(422, 'validation_failed'),
  )
  const client = clientOf(server)
  for (const seconds of [90, 7, undefined]) {
    const error = await caught(client.getStatus())
    assert.ok(isProblem(error))
    assert.equal(error.retryAfterSeconds, seconds)
  }
})

test('a problem with missing or wrong members is still a problem', async () => {
  const head = { 'content-type': 'application/problem+json' }
  const errors = [null, 'x', {}, { pointer: 7 }, { detail: 'is odd', closest: null, allowed: null, expected: null }]
  await using server = await serve(json(409, { code: 'invalid_state' }, head), json(422, { code: 'x', errors }, head))
  const bare = await caught(clientOf(server).getStatus())
  assert.ok(isProblem(bare))
  assert.deepEqual([bare.message, bare.status, bare.detail], ['invalid_state: (GET /v1/status)', 409, ''])
  const odd = await caught(clientOf(server).getStatus())
  assert.ok(isProblem(odd))
  assert.deepEqual([odd.status, odd.errors.length], [422, 3])
  assert.equal(odd.message, 'x: is not valid; 7 is not valid; is odd (GET /v1/status)')
})

test('an error without a problem document has the status of the response', async () => {
  const html: Reply = (response) => response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>')
  await using server = await serve(html)
  const error = await caught(clientOf(server, { maxRetries: 0 }).getStatus())
  assert.ok(error instanceof BroadsideError && !isProblem(error))
  assert.equal(error.status, 502)
})

test('a code that is newer than the client is a problem with its own name', async () => {
  await using server = await serve(refuse(409, 'tide_too_high'))
  const error = await caught(clientOf(server).getStatus())
  assert.ok(isProblem(error) && error instanceof BroadsideProblem)
  assert.deepEqual([error.name, error.code], ['TideTooHighError', 'tide_too_high'])
})

test('a connection that fails is an error with its cause', async () => {
  await using server = await serve(hangUp)
  const error = await caught(clientOf(server, { maxRetries: 0 }).getStatus())
  assert.ok(error instanceof library.BroadsideConnectionError)
  assert.ok(error.cause instanceof TypeError)
  assert.match(error.message, /^The connection to the service failed: \w/)
})
