import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseList } from 'structured-headers'
import { allowanceNames, allowances } from './limits.ts'
import { rateLimitFields } from './rate-limits.ts'

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
