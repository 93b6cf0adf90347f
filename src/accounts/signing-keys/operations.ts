import { z } from 'zod'
import { defineOperation } from '../../contract/define-operation.ts'
import { line, nothing, timestamp } from '../../contract/fields.ts'
import { maxSigningKeysPerAccount } from '../../contract/signing-key-limits.ts'
import { addSigningKey, listSigningKeys, removeSigningKey } from './signing-keys.ts'

const shared = { access: 'key', tag: 'Accounts' } as const

const base64url43 = z.string().regex(/^[A-Za-z0-9_-]{43}$/, 'must have 43 characters of base64url, without padding')

export const exampleSigningKey = {
  key_id: 'e-CZGqWs_sg9OnoLeKy0wMg9tvKTN2aG1LwMNIxYq-Y',
  public_key: 'Oiy0k5xiLFlocZ-6Gem3QsZb5Or9MqX6Or50syhQ3Zc',
  name: 'Night ferry agent',
  created_at: '2026-11-15T12:00:00.000Z',
}

/** The 64 bytes of an Ed25519 signature as base64url. */
export const signatureText = z
  .string()
  .regex(/^[A-Za-z0-9_-]{86}$/, 'must have 86 characters of base64url, without padding')

/** Of the example key, and of no account. */
export const exampleProof = '2dr7OVBvXb7JxC312IS8nyYg0XEPHIwoMPapEMM-QltiwS7anAe_9b4_zCekoAlA-eA6V2JqvfmemKlbkrVsQg'

export const signingKeyId = base64url43.meta({
  description: 'The key’s JWK thumbprint (RFC 7638).',
  examples: [exampleSigningKey.key_id],
})

const publicKey = base64url43.meta({
  description: 'The 32 bytes of an Ed25519 public key as base64url: the member `x` of its JWK.',
  examples: [exampleSigningKey.public_key],
})

const keyProof = signatureText.meta({
  description:
    'Proves that you have the private key: its Ed25519 signature as base64url, over the canonical JSON (RFC 8785) of ' +
    '`{"account_id": …, "origin": …, "public_key": …, "purpose": "author-key"}`, with your account’s id, ' +
    'the origin of the API that you call, and the `public_key` that you send.',
  examples: [exampleProof],
})

const keyName = line(1, 80).meta({
  description: 'A name for you. It is not published.',
  examples: [exampleSigningKey.name],
})

const signingKey = z
  .strictObject({ key_id: signingKeyId, public_key: publicKey, name: z.string().nullable(), created_at: timestamp })
  .meta({ component: 'SigningKey' })

const list = defineOperation({
  ...shared,
  id: 'listSigningKeys',
  method: 'GET',
  path: '/v1/account/signing-keys',
  whenBanned: 'allowed',
  successStatus: 200,
  summary: 'List your signing keys',
  description: 'Lists the public keys with which you can sign posts, oldest first.',
  output: z.strictObject({ data: z.array(signingKey), next_cursor: z.null() }).meta({ component: 'SigningKeyList' }),
  problems: [],
  examples: { output: { data: [exampleSigningKey], next_cursor: null } },
  handle: async ({ db, caller }) => ({ data: await listSigningKeys(db, caller.accountId), next_cursor: null }),
})

const create = defineOperation({
  ...shared,
  id: 'createSigningKey',
  method: 'POST',
  path: '/v1/account/signing-keys',
  scopes: ['account'],
  allowance: 'signing-keys-per-account',
  whenBanned: 'refused',
  successStatus: 201,
  summary: 'Register a signing key',
  description:
    'Registers the public half of an Ed25519 key pair, with which you sign posts: see `author_signature` in POST /v1/posts. ' +
    'The private key stays with you; `proof` shows that you have it. A key belongs to one account; an account can have up to ' +
    `${maxSigningKeysPerAccount}. The owner is notified by email.`,
  body: z.strictObject({ public_key: publicKey, proof: keyProof, name: keyName.optional() }),
  output: signingKey,
  problems: ['too_many_signing_keys'],
  examples: {
    body: { public_key: exampleSigningKey.public_key, proof: exampleProof, name: exampleSigningKey.name },
    output: exampleSigningKey,
  },
  handle: (call, { body }) => addSigningKey(call, { ...body, name: body.name ?? null }),
})

const remove = defineOperation({
  ...shared,
  id: 'deleteSigningKey',
  method: 'DELETE',
  path: '/v1/account/signing-keys/{key_id}',
  scopes: ['account'],
  whenBanned: 'allowed',
  successStatus: 204,
  summary: 'Remove a signing key',
  description:
    'New posts cannot be signed with the key. Posts that were signed with it stay signed: they contain the public key.',
  params: z.object({ key_id: signingKeyId }),
  output: nothing,
  problems: ['signing_key_not_found'],
  examples: { params: { key_id: exampleSigningKey.key_id }, output: undefined },
  handle: async ({ db, caller }, { params }) => {
    await removeSigningKey(db, caller.accountId, params.key_id)
    return undefined
  },
})

export const signingKeyOperations = [list, create, remove]
