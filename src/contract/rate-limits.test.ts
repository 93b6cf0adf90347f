import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseList } from 'structured-headers'
import { allowanceNames, allowances } from './limits.ts'
import { rateLimitFields, rateLimits } from './rate-limits.ts'

const served = [
  { method: 'POST', path: '/v1/accounts' },
  { method: 'GET', path: '/v1/search' },
  { method: 'POST', path: '/v1/reports' },
  { method: 'POST', path: '/v1/webhooks/{id}/test' },
  { method: 'POST', path: '/v1/posts' },
  { method: 'POST', path: '/v1/posts/{id}/appeal' },
  { method: 'PUT', path: '/v1/account/domain' },
]
/** Sign-in emails and the form for messages to sellers are no operations of a site. */
const ofSites = allowanceNames.filter((name) => !/^(owner-mails|contact)-/.test(name))
const relay = { method: 'POST', path: '/v1/relay' }

test('every daily limit is published with its consequence', () => {
  const { allowances, ceilings } = rateLimits({}, [...served, relay])
  assert.ok(ceilings.some(({ name }) => name === 'cards-per-address'))
  assert.deepEqual(
    allowances.map(({ name }) => name),
    ofSites,
  )
  assert.deepEqual(
    allowances.filter(({ name }) => /^(searches|reports)/.test(name)),
    [
      {
        name: 'searches-per-key',
        operations: 'GET /v1/search with a key, also over MCP',
        counted_per: 'key',
        max: 100,
        window_seconds: 86_400,
        afterwards: 'each further search is charged, or rejected with 402 insufficient_balance',
        rate_limit_policy: 'search-free',
      },
      {
        name: 'searches-per-address',
        operations: 'GET /v1/search without a key, also over MCP and on the search page',
        counted_per: 'address',
        max: 20,
        window_seconds: 86_400,
        afterwards: '429 search_allowance_exhausted until 00:00 UTC',
        rate_limit_policy: 'search-free',
      },
      {
        name: 'reports-per-address',
        operations: 'POST /v1/reports, also over MCP and with the report form',
        counted_per: 'address',
        max: 20,
        window_seconds: 86_400,
        afterwards: '429 rate_limited until 00:00 UTC',
        rate_limit_policy: null,
      },
    ],
  )
})

test('a deployment publishes its own sizes and omits disabled limits', () => {
  const { allowances } = rateLimits({ 'accounts-per-address': 0, 'searches-per-address': 7 }, served)
  const sizes = Object.fromEntries(allowances.map(({ name, max }) => [name, max]))
  assert.equal(sizes['accounts-per-address'], undefined)
  assert.equal(sizes['searches-per-address'], 7)
  assert.equal(sizes['searches-per-key'], 100)
})

test('a site omits the limits of operations that it does not serve', () => {
  const { allowances } = rateLimits({}, served)
  assert.deepEqual(
    allowances.map(({ name }) => name),
    ofSites.filter((name) => !name.startsWith('relays-')),
  )
})

const state = { max: 100, remaining: 57, secondsLeft: 3_907 }

test('the headers match the draft byte for byte', () => {
  assert.deepEqual(rateLimitFields('searches-per-key', state), {
    'ratelimit-policy': '"search-free";q=100;w=86400',
    ratelimit: '"search-free";r=57;t=3907',
  })
})

test('an independent parser reads the same values', () => {
  const published = allowanceNames.filter((name) => allowances[name].policy !== null)
  assert.deepEqual(published, ['searches-per-key', 'searches-per-address'])
  for (const name of published) {
    const fields = rateLimitFields(name, state)
    const { policy, windowSeconds } = allowances[name]
    assert.deepEqual(parseList(String(fields['ratelimit-policy'])), [
      [policy, new Map(Object.entries({ q: 100, w: windowSeconds }))],
    ])
    assert.deepEqual(parseList(String(fields['ratelimit'])), [[policy, new Map(Object.entries({ r: 57, t: 3_907 }))]])
  }
})

test('a limit without a policy sends no headers', () => {
  assert.deepEqual(rateLimitFields('reports-per-address', state), {})
})
