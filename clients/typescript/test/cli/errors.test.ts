import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CliError } from '../../src/cli/cli-error.ts'
import { describeError } from '../../src/cli/errors.ts'
import {
  ApprovalRequiredError,
  BroadsideConnectionError,
  BroadsideError,
  BroadsideProblem,
  ConfigurationError,
} from '../../src/index.ts'

const plain = (_: unknown, text: string) => text

test('a problem prints its fields, what is valid, what to do, the owner’s link and the request', () => {
  const document = {
    type: 'https://m.example/problems/validation_failed',
    ...{ title: 'Invalid request body', status: 422, detail: 'The body has 2 invalid fields.' },
    ...{ code: 'validation_failed', instance: 'a'.repeat(32), account_url: 'https://o.example/o/x' },
    errors: [
      { pointer: '#/category', detail: 'is not known', allowed: ['free', 'jobs'], closest: 'free' },
      { pointer: '#/price', detail: 'must be an object\x1b[2J', expected: { amount: 120, currency: 'EUR' } },
      { pointer: '#', detail: 'is odd', docs: 'https://m.example/docs/posting/' },
    ],
  }
  const described = describeError(new BroadsideProblem(document as never, new Headers({ 'retry-after': '5' })), plain)
  assert.equal(described?.exit, 'refused')
  assert.equal(described?.document, document)
  assert.deepEqual(described?.lines, [
    'Error: Invalid request body (validation_failed)',
    'The body has 2 invalid fields.',
    '  category  is not known',
    '            Did you mean free?',
    '            Allowed: free, jobs',
    '  price     must be an object[2J',
    '            Expected: {"amount":120,"currency":"EUR"}',
    '  (body)    is odd',
    '            See https://m.example/docs/posting/',
    'What to do: Correct these fields. `broadside check` checks a post without publishing it.',
    'Try again in 5 s.',
    'For the owner: https://o.example/o/x',
    'About this problem: https://m.example/problems/validation_failed',
    `Request: ${'a'.repeat(32)}`,
  ])
})

test('a problem with missing members prints what it has', () => {
  const document = { code: 'validation_failed', errors: [{ detail: 'is odd' }, {}, { allowed: 'x' }] }
  const problem = new BroadsideProblem(document as never, new Headers(), undefined, 422)
  const described = describeError(problem, plain)
  assert.equal(described?.exit, 'refused')
  assert.deepEqual(described?.lines.slice(0, 4), [
    'Error: The service refused the request (validation_failed)',
    '  (body)  is odd',
    '  (body)  is not valid',
    '  (body)  is not valid',
  ])
})

test('an error without a problem document exits by its status', () => {
  const exits = [502, 401, 404, 429, 400, 302, 200].map(
    (status) => describeError(new BroadsideError('No document.', { status }), plain)?.exit,
  )
  assert.deepEqual(exits, ['unavailable', 'key', 'not_found', 'limit', 'refused', 'failed', 'failed'])
})

test('an invalid address, key or argument is not a fault of the program', () => {
  const described = (message: string) => describeError(new ConfigurationError(message), plain)
  assert.deepEqual(
    [described('baseUrl is not a URL.')?.exit, described('baseUrl is not a URL.')?.lines[0]],
    ['usage', 'Error: The address is not a URL.'],
  )
  assert.equal(described('apiKey is empty.')?.exit, 'key')
})

test('errors without a response, drafts that need approval and unknown faults are told apart', () => {
  const lost = describeError(new BroadsideConnectionError('The connection failed: ECONNREFUSED'), plain)
  assert.equal(lost?.exit, 'unavailable')
  assert.partialDeepStrictEqual(lost?.document, { code: 'connection_failed' })
  const draft = { id: 'draft_a', state: 'awaiting_approval' }
  const waiting = describeError(new ApprovalRequiredError(draft as never, 'https://o.example/o/x'), plain)
  assert.equal(waiting?.exit, 'owner')
  assert.deepEqual(waiting?.document, { draft, account_url: 'https://o.example/o/x', for_human: true })
  const own = new CliError('No place.', { exit: 'refused', code: 'place_not_found', advice: 'Look.\nAgain.' })
  assert.deepEqual(describeError(own, plain)?.lines, ['Error: No place.', 'Look.', 'Again.'])
  assert.equal(describeError(new TypeError('x'), plain), undefined)
})
