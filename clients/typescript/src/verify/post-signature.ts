import { type Bytes, fromBase64Url, utf8 } from './bytes.ts'
import { canonicalJson } from './canonical-json.ts'
import { assertSignature, isSignedBy } from './ed25519.ts'
import { timeOf } from './published-keys.ts'
import { Refusal } from './refusal.ts'
import { isObject, type Json, type JsonObject } from './strict-json.ts'

/** What only an edit changes. Names and domains of authors, addresses and other times can change, so nobody signs them. */
const signedNames = ['id', 'kind', 'revision', 'published_at', 'license', 'content'] as const
const addedToContent = ['author', 'attribution', 'language_source']

/** The part of a post that its signature covers. */
export function signedPartOf(post: JsonObject): JsonObject {
  const { revision, license, content } = post
  const isWhole = typeof post['id'] === 'string' && typeof post['kind'] === 'string' && isObject(license)
  if (!isWhole || !isObject(content) || typeof revision !== 'number' || !(Number.isInteger(revision) && revision > 0))
    throw new Refusal('post_malformed')
  const written = Object.fromEntries(Object.entries(content).filter(([name]) => !addedToContent.includes(name)))
  return { ...Object.fromEntries(signedNames.map((name) => [name, post[name] ?? null])), content: written }
}

export type PostSignature = { readonly keyId: string; readonly createdAt: Date; readonly value: Bytes }

/** Parses the signature of the service on a post. */
export function parsePostSignature({ signature }: JsonObject): PostSignature {
  if (signature === undefined || signature === null) throw new Refusal('unsigned')
  const { key_id: keyId, created_at, value } = signatureFields(signature, ['alg', 'created_at', 'key_id', 'value'])
  const createdAt = timeOf(created_at)
  if (!createdAt) throw new Refusal('signature_malformed', 'created_at is not a time.')
  return { keyId: String(keyId), createdAt, value: signatureValue(value) }
}

/** How far the clocks of the service and of the reader may differ. */
const toleranceMs = 300_000

/** Refuses times after now. */
export function assertTimes({ published_at }: JsonObject, { createdAt }: PostSignature, now: Date): void {
  const publishedAt = timeOf(published_at)
  if (!publishedAt) throw new Refusal('post_malformed', 'published_at is not a time.')
  for (const [name, time] of Object.entries({ created_at: createdAt, published_at: publishedAt }))
    if (time.getTime() > now.getTime() + toleranceMs)
      throw new Refusal('time_in_future', `${name}: ${time.toISOString()}.`)
}

/** Refuses unless the key signed this part of a post. */
export async function checkPostSignature(signed: JsonObject, { value }: PostSignature, key: Bytes): Promise<void> {
  if (!(await isSignedBy(key, utf8(canonicalJson(signed)), value))) throw new Refusal('signature_wrong')
}

/** The fields of a signature. Others would be read as signed, though they are not. */
function signatureFields(signature: Json | undefined, names: readonly string[]): JsonObject {
  if (!isObject(signature)) throw new Refusal('signature_malformed')
  const isComplete = names.every((name) => typeof signature[name] === 'string')
  if (!isComplete || Object.keys(signature).length !== names.length)
    throw new Refusal('signature_malformed', `It must have exactly these fields: ${names.join(', ')}.`)
  if (signature['alg'] !== 'Ed25519') throw new Refusal('signature_malformed', 'alg is not Ed25519.')
  return signature
}

function signatureValue(value: Json | undefined): Bytes {
  const bytes = fromBase64Url(String(value))
  assertSignature(bytes)
  return bytes
}
