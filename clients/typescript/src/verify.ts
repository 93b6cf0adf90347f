import { BroadsideError, named } from './errors.ts'
import type { EventList } from './generated/types.ts'

type Told = EventList['data'][number]
type PostEventType = Extract<Told['type'], `post.${string}`>
type DraftEventType = Extract<Told['type'], `draft.${string}`>
type DraftFact = 'state' | 'post_id' | 'problem'
type Envelope<Type extends string, Data> = {
  /** The event's id, which is the same on every attempt. Use it to detect repeated deliveries. */
  id: string
  type: Type
  /** When the event happened, in ISO 8601. */
  timestamp: string
  data: Data
}

/** A change of a post's status. */
export type WebhookPostEvent = {
  [Type in PostEventType]: Envelope<Type, Omit<Told['data'], DraftFact> & { status: string }>
}[PostEventType]
/** The end of a draft: it was submitted, declined or refused, or it has expired. */
export type WebhookDraftEvent = {
  [Type in DraftEventType]: Envelope<Type, Pick<Told['data'], 'id' | 'kind' | DraftFact> & { state: string }>
}[DraftEventType]
/** A test event that you requested. */
export type WebhookTestEvent = Envelope<'webhook.test', { endpoint_id: string }>
/** An event type that is newer than this client. */
export type UnknownWebhookEvent = Envelope<string, unknown>

type KnownWebhookEvent = WebhookPostEvent | WebhookDraftEvent | WebhookTestEvent
export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent

type HeaderLookup = { get(name: string): string | null | undefined }
/** All headers of a request: `request.headers` from Node or fetch, or a record with names in any case. */
export type WebhookHeaders = HeaderLookup | Readonly<Record<string, string | readonly string[] | undefined>>

export type VerifyOptions = {
  /** Maximum difference in seconds from this machine's clock, in either direction. Default: 300. */
  toleranceSeconds?: number
  /** The current time. Default: this machine's clock. */
  now?: Date
}

export type WebhookRefusal =
  | 'missing_header'
  | 'bad_timestamp'
  | 'too_old'
  | 'too_new'
  | 'bad_secret'
  | 'no_match'
  | 'not_json'

const refusals: Record<WebhookRefusal, string> = {
  missing_header:
    'webhook-id, webhook-timestamp or webhook-signature is missing. Pass every header; check that no proxy drops them.',
  bad_timestamp: 'webhook-timestamp is not a whole number of seconds. The service did not send this request.',
  too_old:
    'The delivery was signed too long ago. Check this machine’s clock, and verify deliveries as soon as they arrive.',
  too_new: 'The delivery was signed in the future. Check this machine’s clock.',
  bad_secret:
    'A secret is whsec_ followed by base64, as returned when you registered the endpoint or rotated its secret. Check yours.',
  no_match: 'No signature matches. Check that the secret belongs to this endpoint and that the body is unchanged.',
  not_json: 'The signature is valid, but the body is not a JSON event.',
}

/** Why verification failed. `reason` is stable; the message contains nothing from the request. */
export class WebhookVerificationError extends BroadsideError {
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal) {
    super(refusals[reason])
    this.reason = reason
  }
}
named('WebhookVerificationError', WebhookVerificationError)

/**
 * Returns the event of a delivery if the service signed it recently with one of the secrets; otherwise throws
 * WebhookVerificationError. Pass the body exactly as it arrived: JSON that was parsed and serialized again differs.
 */
export async function verifyWebhook(
  rawBody: string | Uint8Array | ArrayBuffer,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  { toleranceSeconds = 300, now = new Date() }: VerifyOptions = {},
): Promise<WebhookEvent> {
  const keys = keysOf(secret)
  const id = headerOf(headers, 'webhook-id')
  const timestamp = headerOf(headers, 'webhook-timestamp')
  const signatures = headerOf(headers, 'webhook-signature')
  assertRecent(timestamp, now, toleranceSeconds)
  // Copied, because the caller may write to its buffer while the signature is checked.
  const [prefix, body] = [new TextEncoder().encode(`${id}.${timestamp}.`), bytesOf(rawBody)]
  const signed = new Uint8Array(prefix.length + body.length)
  signed.set(prefix)
  signed.set(body, prefix.length)
  if (!(await isSigned(signed, signatures, keys))) throw new WebhookVerificationError('no_match')
  return { id, ...parseEvent(signed.subarray(prefix.length)) }
}

/** Whether the event has one of these types; narrows the type of its data. */
export function isWebhookEvent<Type extends KnownWebhookEvent['type']>(
  event: WebhookEvent,
  ...types: readonly [Type, ...Type[]]
): event is Extract<KnownWebhookEvent, { type: Type }> {
  return (types as readonly string[]).includes(event.type)
}

/** Throws `bad_secret` unless there is at least one secret and all are well formed. */
export function assertSecret(secret: string | readonly string[]): void {
  keysOf(secret)
}

function keysOf(secret: string | readonly string[]): Uint8Array<ArrayBuffer>[] {
  // In plain JavaScript, an unset environment variable arrives as undefined.
  const secrets = typeof secret === 'string' ? [secret] : (secret ?? [])
  if (secrets.length === 0) throw new WebhookVerificationError('bad_secret')
  return secrets.map(keyOf)
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const base64 = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(secret)?.[1] ?? ''
  const key = fromBase64(base64)
  // The standard allows 24 to 64 bytes. A shorter secret was probably truncated when it was copied.
  if (key.length < 24 || key.length > 64) throw new WebhookVerificationError('bad_secret')
  return key
}

const fromBase64 = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isLookup(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  // Joins repeated headers as Node and fetch do.
  const text = typeof value === 'string' ? value : value?.join(', ')
  if (!text) throw new WebhookVerificationError('missing_header')
  return text
}

// A header can be named `get`, but its value is never a function. An instanceof check would miss Headers classes from
// other libraries.
const isLookup = (headers: WebhookHeaders): headers is HeaderLookup => typeof headers.get === 'function'

function assertRecent(timestamp: string, now: Date, toleranceSeconds: number) {
  if (!/^(0|[1-9]\d{0,14})$/.test(timestamp)) throw new WebhookVerificationError('bad_timestamp')
  const ageSeconds = Math.floor(now.getTime() / 1_000) - Number(timestamp)
  // These conditions are negated so that NaN is rejected.
  if (!(ageSeconds <= toleranceSeconds)) throw new WebhookVerificationError('too_old')
  if (!(ageSeconds >= -toleranceSeconds)) throw new WebhookVerificationError('too_new')
}

function bytesOf(rawBody: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody)
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength)
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody)
  throw new TypeError('Pass the raw body as a string or bytes. Read it before anything parses it.')
}

/** The service sends at most four signatures. Each check hashes the body, and a forged header could have hundreds. */
const maxSignatures = 8

/** Accepts only canonical base64: the last character has two bits that decoders ignore. */
const signatureForm = /^v1,([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=)$/

async function isSigned(signed: Uint8Array<ArrayBuffer>, header: string, keys: Uint8Array<ArrayBuffer>[]) {
  const known = header.split(' ').flatMap((item) => signatureForm.exec(item)?.[1] ?? [])
  const signatures = known.slice(0, maxSignatures).map(fromBase64)
  for (const bytes of keys) {
    const key = await crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify'])
    // Web Crypto compares in constant time.
    for (const signature of signatures) if (await crypto.subtle.verify('HMAC', key, signature, signed)) return true
  }
  return false
}

function parseEvent(body: Uint8Array): Omit<WebhookEvent, 'id'> {
  const event = parsed(body)
  if (typeof event?.type !== 'string' || typeof event.timestamp !== 'string')
    throw new WebhookVerificationError('not_json')
  return { type: event.type, timestamp: event.timestamp, data: event.data }
}

/** Parses exactly the signed bytes: invalid UTF-8 is rejected, not replaced. */
function parsed(body: Uint8Array): Partial<Record<'type' | 'timestamp' | 'data', unknown>> | null {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
  } catch {
    throw new WebhookVerificationError('not_json')
  }
}
