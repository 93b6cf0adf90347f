import { z } from 'zod'
import { measureBytes, readSignatureValue } from '../accounts/signing-keys/key-proof.ts'
import { exampleSigningKey, signatureText, signingKeyId } from '../accounts/signing-keys/operations.ts'
import { findSigningKey } from '../accounts/signing-keys/signing-keys.ts'
import { Problem } from '../contract/problems/problem.ts'
import type { Kind } from '../kinds/index.ts'
import { canonicalJson } from '../platform/canonical-json.ts'
import type { Database } from '../platform/database/database.ts'
import { ed25519KeyBytes, publicKeyFromBytes, thumbprintOf, verifyEd25519 } from '../platform/ed25519.ts'

const exampleValue = 'NTlEeDDL0rRBuvps1Fw2W-91Z6A0KzMn3OXqDbX0T-pBqvo_HP4D63sisImoWzkHNd2Zrh2y7mZsdwEre12qBQ'

const signatureValue = signatureText.meta({
  description: 'The 64 bytes of the Ed25519 signature as base64url.',
  examples: [exampleValue],
})

const sentSignature = z.strictObject({ key_id: signingKeyId, value: signatureValue }).meta({
  component: 'NewAuthorSignature',
  description:
    'Your signature of the post with a key from POST /v1/account/signing-keys, over the canonical JSON (RFC 8785) of ' +
    '`{"content": …, "kind": "…"}`, where `content` is the whole post as it is stored: with defaults, texts ' +
    'in NFC, and line breaks as LF. It is published with the post and is not part of its content. An edit without it removes it.',
})

/** The signature as a caller sends it. */
export type SentSignature = z.output<typeof sentSignature>

/** The body of a submission or an edit: the fields of the post, and beside them the signature. */
export function withAuthorSignature(body: z.ZodType<object, object>) {
  const fields = body as unknown as z.ZodObject
  const extended = fields.safeExtend({ author_signature: sentSignature.optional() })
  return extended.meta(body.meta() ?? {}) as unknown as z.ZodType<Signed, object>
}

type Signed = { author_signature?: SentSignature | undefined }

/** Takes the signature out of a body, because it is not content. */
export function splitSignature({ author_signature, ...content }: Signed): {
  content: object
  signature: SentSignature | undefined
} {
  return { content, signature: author_signature }
}

/** The text that an author signs. `content` is what is stored, without fields that have no value. */
export const signedText = (kind: Kind, content: object): string =>
  canonicalJson({ content: JSON.parse(JSON.stringify(content)), kind: kind.name })

type Claim = { accountId: string; kind: Kind; content: object; signature: SentSignature | undefined }

/** Checks an author's signature and returns what is stored: the public key and the signature. Null without one. */
export async function checkSignature(db: Database, { accountId, kind, content, signature }: Claim) {
  if (!signature) return null
  const publicKey = await findSigningKey(db, accountId, signature.key_id)
  if (!publicKey)
    throw refused(
      'key_id',
      'is not a signing key of this account. Register the key with POST /v1/account/signing-keys, or leave author_signature out',
    )
  const text = signedText(kind, content)
  const value = readSignatureValue(signature.value)
  if (!value || !verifyEd25519(publicKeyFromBytes(publicKey), text, value))
    throw refused('value', expectedBytes(kind, text))
  return Buffer.concat([publicKey, value])
}

/** Contains nothing that the caller wrote, because a draft keeps it. */
function expectedBytes(kind: Kind, text: string): string {
  return (
    'is not a signature of this post with this key. Sign the UTF-8 bytes of the canonical JSON (RFC 8785) of ' +
    `{"content":{…},"kind":"${kind.name}"}, where content is the whole post as it is stored. It can differ from what you sent: ` +
    'texts are normalised to NFC, line breaks become LF, and defaults are added. ' +
    measureBytes(text)
  )
}

const refused = (member: keyof SentSignature, detail: string) =>
  new Problem('validation_failed', 'The signature of the post is not valid. See `errors`.', {
    members: {
      errors: [{ pointer: `#/author_signature/${member}`, detail, docs: '/docs/posting/#sign-a-post' }],
    },
  })

/** The signature in its stored form as a caller would send it, to check it again. */
export const resentSignature = (stored: Buffer | null): SentSignature | undefined =>
  stored === null ? undefined : { key_id: shownSignature(stored).key_id, value: shownSignature(stored).value }

/** The signature as readers get it, with everything that they need to check it. */
export const authorSignature = z
  .strictObject({
    alg: z.literal('Ed25519'),
    key_id: signingKeyId,
    public_key: z.string().meta({ description: 'The author’s public key: 32 bytes as base64url.' }),
    value: signatureValue,
  })
  .meta({
    component: 'AuthorSignature',
    description:
      'The author’s own signature, if the author signed: over the canonical JSON (RFC 8785) of `{"content": …, "kind": "…"}`, ' +
      'where `content` is without `author` and `attribution`.',
  })

export function shownSignature(stored: Buffer) {
  const publicKey = stored.subarray(0, ed25519KeyBytes)
  return {
    alg: 'Ed25519' as const,
    key_id: thumbprintOf(publicKey),
    public_key: publicKey.toString('base64url'),
    value: stored.subarray(ed25519KeyBytes).toString('base64url'),
  }
}

export const exampleSignature = { key_id: exampleSigningKey.key_id, value: exampleValue }
