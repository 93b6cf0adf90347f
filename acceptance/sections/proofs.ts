// Provable posts and verified domains: decisions 16.
import { createPublicKey, verify } from 'node:crypto'
import canonicalize from 'canonicalize'
import { eventually, freshAccount } from '../accounts.ts'
import { equal, hasStatus, holds, isInteger, isOkJson } from '../assert.ts'
import { section } from '../checks.ts'
import { published } from '../fixtures.ts'
import { at, request } from '../http.ts'
import { kinds, sites } from '../targets.ts'

const test = section('proofs')

const publicKey = (x: string) => createPublicKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x } })
const keysOf = async (kind: string) => (await at(kind).get('/.well-known/broadside-keys.json')).json

test('signature: each public post is signed over its canonical JSON', async () => {
  for (const kind of kinds) {
    const { id } = await published[kind]()
    const post = await eventually(async () => isOkJson(await at(kind).get(`/p/${id}.json`)))
    const { author, attribution, language_source, ...content } = post.content
    const { kind: ofKind, revision, published_at, license } = post
    const signed = canonicalize({ id, kind: ofKind, revision, published_at, license, content })
    const { keys } = await keysOf(kind)
    const { x } = keys.find(({ kid }) => kid === post.signature.key_id)
    const value = Buffer.from(post.signature.value, 'base64url')
    equal(verify(null, Buffer.from(signed), publicKey(x), value), true, `signature of the ${kind}`)
  }
})
test('log: the checkpoint of the log is signed by the key that the site names, and the log has entries', async () => {
  for (const kind of kinds) {
    const { logs } = await keysOf(kind)
    const [name, , key] = logs[0].vkey.split(/\+(.*?)\+/)
    const note = (await request('GET', `${sites[kind]}/log/checkpoint`)).text
    const [text, signatures] = note.split('\n\n')
    const [origin, size] = text.split('\n')
    equal(origin, name, 'origin of the checkpoint')
    isInteger(Number(size), 'size of the log', { min: 1 })
    const signature = Buffer.from(signatures.trim().split(' ').at(-1), 'base64').subarray(4)
    const raw = Buffer.from(key, 'base64').subarray(1).toString('base64url')
    holds(verify(null, Buffer.from(`${text}\n`), publicKey(raw), signature), 'checkpoint', 'a valid signature', note)
  }
})
test('domain-unverified: a domain that does not name the account is not verified, and can be given up', async () => {
  const { key } = await freshAccount()
  const { domain, status } = isOkJson(
    await at('message').send('PUT', '/v1/account/domain', { key, body: { domain: 'example.com' } }),
  )
  equal(`${domain} ${status}`, 'example.com unverified', 'domain')
  hasStatus(await at('message').delete('/v1/account/domain', { key }), [200, 204])
})
