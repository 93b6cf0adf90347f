import type { EventList } from './generated.ts'

type Told = EventList['data'][number]
type PostEventType = Extract<Told['type'], `post.${string}`>
type Envelope<Type extends string, Data> = {
  /** The event's, the same on every attempt: a delivery may come twice, and is told apart by it. */
  id: string
  type: Type
  /** When it happened, in ISO 8601. */
  timestamp: string
  data: Data
}

/** What became of a post. */
export type WebhookPostEvent = {
  [Type in PostEventType]: Envelope<Type, Extract<Told['data'], { kind: string }>>
}[PostEventType]
/** A test of the endpoint that you asked for. */
export type WebhookTestEvent = Envelope<'webhook.test', { endpoint_id: string }>
/** An event that is newer than this client. */
export type UnknownWebhookEvent = Envelope<string, unknown>

type KnownWebhookEvent = WebhookPostEvent | WebhookTestEvent
export type WebhookEvent = KnownWebhookEvent | UnknownWebhookEvent

type HeaderLookup = { get(name: string): string | null | undefined }
/** All headers of a request: `request.headers` of Node or of fetch, or a record with names in any case. */
export type WebhookHeaders = HeaderLookup | Readonly<Record<string, string | readonly string[] | undefined>>

export type VerifyOptions = {
  /** How far the delivery may be from this machine's clock, to either side; 300 unless told. */
  toleranceSeconds?: number
  /** The time to judge by; the machine's unless told. */
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
  bad_timestamp: 'webhook-timestamp is not a whole number of seconds. The service did not send this.',
  too_old: 'It was signed too long ago. Check this machine’s clock, and verify a delivery when it arrives.',
  too_new: 'It was signed in the future. Check this machine’s clock.',
  bad_secret: 'A secret is whsec_ and base64, as the endpoint got it when it was created or rotated. Check yours.',
  no_match: 'No signature matches. Check that the secret is this endpoint’s and that the body is as it arrived.',
  not_json: 'The signature is right, but the body is not an event in JSON.',
}

/** Why a delivery was not believed. `reason` is stable; nothing of what was sent is in the message. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly reason: WebhookRefusal

  constructor(reason: WebhookRefusal) {
    super(refusals[reason])
    this.reason = reason
  }
}

/**
 * The event of a delivery, if the service signed it with one of the secrets and did so just now; otherwise throws
 * WebhookVerificationError. The body is what arrived, byte for byte: JSON that was parsed and printed again is another.
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
  // A copy: the caller may write into its buffer while the signature is checked.
  const [prefix, body] = [new TextEncoder().encode(`${id}.${timestamp}.`), bytesOf(rawBody)]
  const signed = new Uint8Array(prefix.length + body.length)
  signed.set(prefix)
  signed.set(body, prefix.length)
  if (!(await isSigned(signed, signatures, keys))) throw new WebhookVerificationError('no_match')
  return { id, ...parseEvent(signed.subarray(prefix.length)) }
}

/** True for an event of one of these types, whose data is typed then. */
export function isWebhookEvent<Type extends KnownWebhookEvent['type']>(
  event: WebhookEvent,
  ...types: readonly [Type, ...Type[]]
): event is Extract<KnownWebhookEvent, { type: Type }> {
  return (types as readonly string[]).includes(event.type)
}

/** Throws `bad_secret` unless there is a secret and each is well formed. */
export function assertSecret(secret: string | readonly string[]): void {
  keysOf(secret)
}

function keysOf(secret: string | readonly string[]): Uint8Array<ArrayBuffer>[] {
  // An unset environment variable arrives as undefined where types are not checked.
  const secrets = typeof secret === 'string' ? [secret] : (secret ?? [])
  if (secrets.length === 0) throw new WebhookVerificationError('bad_secret')
  return secrets.map(keyOf)
}

function keyOf(secret: string): Uint8Array<ArrayBuffer> {
  const base64 = /^whsec_((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)$/.exec(secret)?.[1] ?? ''
  const key = fromBase64(base64)
  // What the standard allows. One that is shorter was cut when it was copied.
  if (key.length < 24 || key.length > 64) throw new WebhookVerificationError('bad_secret')
  return key
}

const fromBase64 = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

function headerOf(headers: WebhookHeaders, name: string): string {
  const value = isLookup(headers)
    ? headers.get(name)
    : Object.entries(headers).find(([each]) => each.toLowerCase() === name)?.[1]
  // Repeated headers are joined as Node and fetch join them.
  const text = typeof value === 'string' ? value : value?.join(', ')
  if (!text) throw new WebhookVerificationError('missing_header')
  return text
}

// A header may be named `get`, but it is never a function. Other makers' Headers are no instance of this one.
const isLookup = (headers: WebhookHeaders): headers is HeaderLookup => typeof headers.get === 'function'

function assertRecent(timestamp: string, now: Date, toleranceSeconds: number) {
  if (!/^(0|[1-9]\d{0,14})$/.test(timestamp)) throw new WebhookVerificationError('bad_timestamp')
  const ageSeconds = Math.floor(now.getTime() / 1_000) - Number(timestamp)
  // Written so that an age which is not a number is refused.
  if (!(ageSeconds <= toleranceSeconds)) throw new WebhookVerificationError('too_old')
  if (!(ageSeconds >= -toleranceSeconds)) throw new WebhookVerificationError('too_new')
}

function bytesOf(rawBody: string | Uint8Array | ArrayBuffer): Uint8Array {
  if (typeof rawBody === 'string') return new TextEncoder().encode(rawBody)
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength)
  if (rawBody instanceof ArrayBuffer) return new Uint8Array(rawBody)
  throw new TypeError('Pass the raw body as a string or bytes: read it before anything parses it.')
}

/** The service sends four at most. Each costs a hash of the body, and a stranger's header has room for hundreds. */
const maxSignatures = 8

/** One spelling only: the last character carries two bits that would not count. */
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

/** What was signed is what is read: bytes that are not UTF-8 are refused and not mended. */
function parsed(body: Uint8Array): Partial<Record<'type' | 'timestamp' | 'data', unknown>> | null {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body))
  } catch {
    throw new WebhookVerificationError('not_json')
  }
}
