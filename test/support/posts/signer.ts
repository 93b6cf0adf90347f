import assert from 'node:assert/strict'
import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto'
import canonicalize from 'canonicalize'
import type { Kind } from '../../../src/kinds/index.ts'
import type { ApiClient } from '../../../tooling/clients/api-client.ts'

export type Signer = ReturnType<typeof newSigner>

/** An author's key pair, and signatures with it. Uses none of the code that it tests. */
export function newSigner() {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const public_key = String(publicKey.export({ format: 'jwk' }).x)
  const key_id = thumbprint(public_key)
  /** The body that registers the key, with its proof. `signed` replaces a part of what the proof says. */
  const registration = (of: { account_id: string; origin: string }, signed: object = {}) => {
    const text = String(canonicalize({ ...of, public_key, purpose: 'author-key', ...signed }))
    return { public_key, proof: sign(null, Buffer.from(text), privateKey).toString('base64url') }
  }
  return {
    key_id,
    public_key,
    registration,
    /** Registers the key over the first site of a service. */
    register: ({ baseUrl }: { baseUrl: string }, { id, client }: { id: string; client: ApiClient }) =>
      client.createSigningKey(registration({ account_id: id, origin: baseUrl })),
    /** The signature of a post with this content, which is stored as the kind parses it. */
    sign: (kind: Kind, content: object) => ({
      key_id,
      value: sign(null, signedBytes(kind.name, kind.body.parse(content)), privateKey).toString('base64url'),
    }),
  }
}

const signedBytes = (kind: string, content: object) => Buffer.from(String(canonicalize({ content, kind })))

const thumbprint = (x: string) =>
  createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${x}"}`).digest('base64url')

/** The JSON of a public post, as any reader gets it. */
export type SignedJson = {
  kind: string
  content: Record<string, unknown>
  author_signature?: { alg: string; key_id: string; public_key: string; value: string }
}

/** Whether the author's signature of a public post is right, by the published JSON alone. */
export function isSignedByAuthor({ kind, content, author_signature }: SignedJson): boolean {
  assert.ok(author_signature, 'the post has no signature')
  const { alg, key_id, public_key, value } = author_signature
  assert.deepEqual([alg, key_id], ['Ed25519', thumbprint(public_key)])
  const { author: _author, attribution: _attribution, ...own } = content
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: public_key }, format: 'jwk' })
  return verify(null, signedBytes(kind, own), key, Buffer.from(value, 'base64url'))
}
