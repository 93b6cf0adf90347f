import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDirectoryKey } from './directory.ts'
import { keysFromSeed, readPublicKey, thumbprintOfJwk } from './jwk-keys.ts'
import { AgentRefusal, type AgentRefusalCode } from './refusal.ts'

const agent = keysFromSeed(Buffer.alloc(32, 7))
const other = keysFromSeed(Buffer.alloc(32, 8))
const keyId = thumbprintOfJwk(agent.x)

const key = { kty: 'OKP', crv: 'Ed25519', kid: keyId, x: agent.x, use: 'sig' }
const directory = (...keys: object[]) => JSON.stringify({ keys })

const hostileDirectories: Record<string, [AgentRefusalCode, string | Buffer]> = {
  'a directory without the key': [
    'key_not_in_directory',
    directory({ ...key, x: other.x, kid: thumbprintOfJwk(other.x) }),
  ],
  'another key under the name of the agent’s key': ['key_not_in_directory', directory({ ...key, x: other.x })],
  'the key under another name': ['key_refused', directory({ ...key, kid: 'main' })],
  'the key for encryption': ['key_refused', directory({ ...key, use: 'enc' })],
  'the key for another algorithm': ['key_refused', directory({ ...key, alg: 'ES256' })],
  'the key with its private half': ['key_refused', directory({ ...key, d: agent.x })],
  'the key on another curve': ['key_not_in_directory', directory({ ...key, crv: 'X25519' })],
  'the key in another base64': ['key_not_in_directory', directory({ ...key, x: `${agent.x}=` })],
  'an empty directory': ['key_not_in_directory', directory()],
  'more than 20 keys': ['directory_too_large', directory(...Array.from({ length: 21 }, () => key))],
  'more than 64 KiB': ['directory_too_large', `${directory(key)}${' '.repeat(65_536)}`],
  'keys twice': ['directory_malformed', `{"keys":[],"keys":[${JSON.stringify(key)}]}`],
  'keys that are no array': ['directory_malformed', `{"keys":${JSON.stringify(key)}}`],
  'a key that is no object': ['directory_malformed', '{"keys":["x"]}'],
  'an array': ['directory_malformed', JSON.stringify([key])],
  'no JSON': ['directory_malformed', '<html></html>'],
  'JSON with a byte order mark': ['directory_malformed', `\ufeff${directory(key)}`],
  'bytes that are no UTF-8': ['directory_malformed', Buffer.concat([Buffer.from([0xff]), Buffer.from(directory(key))])],
}

test('an honest directory has the key', () => {
  assert.deepEqual(
    findDirectoryKey(Buffer.from(directory({ kty: 'RSA', n: 'x', e: 'AQAB' }, key)), keyId),
    readPublicKey(agent.x),
  )
})

for (const [name, [code, text]] of Object.entries(hostileDirectories))
  test(`refused (${code}): ${name}`, () => {
    assert.throws(() => findDirectoryKey(Buffer.from(text), keyId), refusedFor(code))
  })

/** RFC 8032 points whose order divides 8, and encodings that are not reduced. */
const weakKeys: Record<string, string> = {
  'the identity': `01${'00'.repeat(31)}`,
  'the identity with a sign': `01${'00'.repeat(30)}80`,
  'the point of order 2': `ec${'ff'.repeat(30)}7f`,
  'a point of order 4': '00'.repeat(32),
  'a point of order 8': '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'another point of order 8': 'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac03fa',
  'a coordinate that is not reduced': `ee${'ff'.repeat(30)}7f`,
}

for (const [name, hex] of Object.entries(weakKeys))
  test(`refused (key_refused): ${name} as a key`, () => {
    const x = Buffer.from(hex, 'hex').toString('base64url')
    const published = Buffer.from(directory({ kty: 'OKP', crv: 'Ed25519', x }))
    assert.throws(() => findDirectoryKey(published, thumbprintOfJwk(x)), refusedFor('key_refused'))
  })

const refusedFor = (code: AgentRefusalCode) => (error: unknown) => {
  assert.ok(error instanceof AgentRefusal, String(error))
  assert.equal(error.code, code)
  return true
}
