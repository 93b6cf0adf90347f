import { type Bytes, fromBase64Url } from './bytes.ts'
import { assertPublicKey, thumbprintOf } from './ed25519.ts'
import { Refusal } from './refusal.ts'
import { isPlainUrl } from './sources.ts'
import { isObject, type Json, type JsonObject, parseStrictJson } from './strict-json.ts'

/** Only here is HTTP without TLS safe, for development. */
const isLoopback = /^http:\/\/(?:localhost|127(?:[.][0-9]{1,3}){3})[:/]/

export type Log = {
  readonly origin: string
  readonly url: string
  readonly vkey: string
  /** Of a log that was closed: its last signed checkpoint; null if it never had one. Undefined if the log is open. */
  readonly lastCheckpoint?: string | null
}

/** More than any site needs. The site chooses how much work its lists make. */
const maxListLength = 64

/** The document `/.well-known/broadside-keys.json`. */
export type PublishedKeys = {
  readonly keys: readonly JsonObject[]
  readonly logs: readonly Log[]
}

export function parsePublishedKeys(source: string | Bytes): PublishedKeys {
  const document = parseStrictJson(source)
  if (!isObject(document)) throw new Refusal('keys_malformed')
  const { keys, logs = [] } = document
  return { keys: objectsIn(keys), logs: objectsIn(logs).map(parseLog) }
}

function parseLog({ origin, url, vkey, state = 'open', last_checkpoint }: JsonObject): Log {
  const log = { origin: textIn(origin), url: textIn(url), vkey: textIn(vkey) }
  // Otherwise a site could serve a log of its own under the name of another.
  const isAtItsName =
    log.url === `https://${log.origin}/` || (isLoopback.test(log.url) && log.url === `http://${log.origin}/`)
  if (!isAtItsName || !isPlainUrl(log.url.slice(0, -1))) throw new Refusal('keys_malformed')
  if (state === 'open') return log
  if (state !== 'closed') throw new Refusal('keys_malformed')
  return { ...log, lastCheckpoint: last_checkpoint === null ? null : textIn(last_checkpoint) }
}

/** The public key with this identifier, if it was valid for posts at that time. */
export async function keyForPosts(keys: PublishedKeys['keys'], keyId: string, at: Date): Promise<Bytes> {
  const named = keys.filter(({ kid }) => kid === keyId)
  if (named.length === 0) throw new Refusal('key_unknown')
  const key = named.find(({ purpose }) => purpose === 'posts')
  if (!key) throw new Refusal('key_other_purpose')
  if (key['kty'] !== 'OKP' || key['crv'] !== 'Ed25519') throw new Refusal('key_malformed')
  const publicKey = await keyWithThumbprint(textIn(key['x']), keyId)
  const from = timeOf(key['valid_from'])
  const until = key['valid_until'] === null ? undefined : timeOf(key['valid_until'])
  if (!from || at < from || (key['valid_until'] !== null && (!until || at >= until)))
    throw new Refusal('key_not_valid_then')
  return publicKey
}

/** The key, if the identifier is its thumbprint. */
export async function keyWithThumbprint(x: string, keyId: string): Promise<Bytes> {
  const publicKey = fromBase64Url(x)
  assertPublicKey(publicKey)
  if ((await thumbprintOf(x)) !== keyId) throw new Refusal('key_thumbprint')
  return publicKey
}

/** A moment as the service writes it; undefined if it is written otherwise. */
export function timeOf(value: Json | undefined): Date | undefined {
  const form = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/
  if (typeof value !== 'string' || !form.test(value)) return undefined
  const time = new Date(value)
  // Date moves 30 February to March, and 24:00 to the next day.
  const isReal = !Number.isNaN(time.getTime()) && time.toISOString().slice(0, 19) === value.slice(0, 19)
  return isReal && !value.startsWith('0000') ? time : undefined
}

function objectsIn(value: Json | undefined): JsonObject[] {
  if (!Array.isArray(value) || !value.every(isObject) || value.length > maxListLength)
    throw new Refusal('keys_malformed')
  return value
}

function textIn(value: Json | undefined): string {
  if (typeof value !== 'string') throw new Refusal('keys_malformed')
  return value
}
