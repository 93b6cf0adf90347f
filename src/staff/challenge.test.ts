import assert from 'node:assert/strict'
import { createSecretKey, randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { challengeSeconds, isChallenge, makeChallenge } from './challenge.ts'

const newSecret = () => createSecretKey(randomBytes(32))
const [first, second, third] = [newSecret(), newSecret(), newSecret()]
const at = new Date('2026-11-15T10:00:00Z')
const signIn = { purpose: 'sign-in', at } as const

test('a challenge is accepted only for its purpose and before it expires', () => {
  const challenge = makeChallenge([first], signIn)
  assert.ok(isChallenge([first], challenge, signIn))
  assert.ok(!isChallenge([first], challenge, { ...signIn, purpose: 'join:staff_x' }))
  const later = (seconds: number) => new Date(at.getTime() + seconds * 1_000)
  assert.ok(isChallenge([first], challenge, { ...signIn, at: later(challengeSeconds - 1) }))
  assert.ok(!isChallenge([first], challenge, { ...signIn, at: later(challengeSeconds) }))
})

test('the first secret signs and both are accepted, so that secrets can be rotated without downtime', () => {
  const old = makeChallenge([first], signIn)
  const fresh = makeChallenge([second, first], signIn)
  assert.ok(isChallenge([second, first], old, signIn))
  assert.ok(isChallenge([first, second], fresh, signIn))
  assert.ok(!isChallenge([first], fresh, signIn), 'the first has proved')
  assert.ok(!isChallenge([third], old, signIn))
})

test('a challenge has exactly three parts', () => {
  const challenge = makeChallenge([first], signIn)
  const [nonce, endsAt, proof] = challenge.split('.') as [string, string, string]
  const wrong = [
    `${challenge}.`,
    `${challenge}.x`,
    `.${challenge}`,
    `${nonce}.${endsAt}`,
    `${nonce}.${endsAt}.`,
    `${nonce}.${Number(endsAt) + 1}.${proof}`,
    `${nonce}x.${endsAt}.${proof}`,
    `${nonce}.${endsAt}.${proof}x`,
    '',
    '..',
  ]
  for (const text of wrong) assert.ok(!isChallenge([first], text, signIn), text)
})
