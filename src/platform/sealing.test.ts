import assert from 'node:assert/strict'
import { createSecretKey, randomBytes, subtle } from 'node:crypto'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { openSealing, type Sealed, SealingError } from './sealing.ts'

const newKey = (id: string) => ({ id, key: createSecretKey(randomBytes(32)) })
const [spring, autumn] = [newKey('spring'), newKey('autumn')]
const secret = Buffer.from('the secret of a receiver')

const fails = (kind: SealingError['kind']) => (error: unknown) => {
  assert.ok(error instanceof SealingError)
  assert.equal(error.kind, kind)
  const shown = inspect(error, { depth: Infinity, showHidden: true })
  for (const key of [spring, autumn])
    assert.ok(!shown.includes(key.key.export().toString('base64')) && !shown.includes(secret.toString()))
  return true
}

test('an encrypted secret can be decrypted, and each encryption differs', () => {
  const sealing = openSealing([spring])
  const [one, two] = [sealing.seal(secret, 'row 1'), sealing.seal(secret, 'row 1')]
  assert.equal(one.keyId, 'spring')
  assert.notDeepEqual(one.sealed, two.sealed)
  for (const each of [one, two]) assert.deepEqual(sealing.open(each, 'row 1'), secret)
  assert.deepEqual(sealing.open(sealing.seal(Buffer.alloc(0), 'row 1'), 'row 1'), Buffer.alloc(0))
})

test('the format is standard AES-256-GCM: a byte, a 12-byte nonce, the ciphertext and a 16-byte tag', async () => {
  const { sealed } = openSealing([spring]).seal(secret, 'row 1')
  assert.equal(sealed.length, 1 + 12 + secret.length + 16)
  const key = await subtle.importKey('raw', new Uint8Array(spring.key.export()), 'AES-GCM', false, ['decrypt'])
  const parameters = {
    name: 'AES-GCM',
    iv: Uint8Array.from(sealed.subarray(1, 13)),
    additionalData: Buffer.from('row 1'),
  }
  assert.deepEqual(Buffer.from(await subtle.decrypt(parameters, key, Uint8Array.from(sealed.subarray(13)))), secret)
})

test('a secret that was moved to another row, altered or truncated cannot be decrypted', () => {
  const sealing = openSealing([spring, autumn])
  const { keyId, sealed } = sealing.seal(secret, 'row 1')
  const open = (changes: Partial<Sealed>, boundTo = 'row 1') => sealing.open({ keyId, sealed, ...changes }, boundTo)
  assert.throws(() => open({}, 'row 2'), fails('not_authentic'))
  assert.throws(() => open({}, ''), fails('not_authentic'))
  assert.throws(() => open({ keyId: 'autumn' }), fails('not_authentic'))
  for (const at of sealed.keys()) {
    const changed = Buffer.from(sealed)
    changed[at] = Number(sealed[at]) ^ (1 << (at % 8))
    assert.throws(() => open({ sealed: changed }), fails(at === 0 ? 'unknown_form' : 'not_authentic'))
    const cut = sealed.subarray(0, at)
    assert.throws(() => open({ sealed: cut }), fails(at === 0 ? 'unknown_form' : 'not_authentic'))
  }
})

test('keys rotate while secrets stay readable: the first encrypts, all decrypt, and a missing one is named', () => {
  const old = openSealing([spring]).seal(secret, 'row 1')
  const both = openSealing([autumn, spring])
  assert.equal(both.currentKeyId, 'autumn')
  assert.deepEqual(both.open(old, 'row 1'), secret)
  const fresh = both.seal(both.open(old, 'row 1'), 'row 1')
  const later = openSealing([autumn])
  assert.deepEqual(later.open(fresh, 'row 1'), secret)
  assert.throws(() => later.open(old, 'row 1'), fails('unknown_key'))
  assert.throws(() => later.open(old, 'row 1'), /SECRETS_KEYS.*spring/)
})

test('a pseudonym is the same for the same text and first key, and differs otherwise', () => {
  const { pseudonymOf } = openSealing([spring, autumn])
  assert.equal(pseudonymOf('203.0.113.7'), openSealing([spring]).pseudonymOf('203.0.113.7'))
  const others = [pseudonymOf('203.0.113.8'), openSealing([autumn, spring]).pseudonymOf('203.0.113.7')]
  assert.ok(!others.includes(pseudonymOf('203.0.113.7')))
  assert.match(pseudonymOf('203.0.113.7'), /^[\w-]{43}$/)
})
