import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'
import {
  isWebhookEvent,
  type VerifyOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookRefusal,
  WebhookVerificationError,
} from '../src/index.ts'

/** The test vector from the project's documentation: its secret is the bytes 0 to 31. */
const vector = {
  secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  id: 'msg_01JEXAMPLE0000000000000000',
  timestamp: '1790000000',
  body: '{"type":"post.published","timestamp":"2026-09-21T14:13:20.000Z","data":{"id":"p_7Hk2","status":"published"}}',
  signature: 'v1,Vk8zJFWm0kjcu02SmVdp0tJaOBKhDp7uWsd/Rw7NIU8=',
}
const sentAt = new Date(Number(vector.timestamp) * 1_000)
const secondsLater = (seconds: number) => new Date(sentAt.getTime() + seconds * 1_000)

type Delivery = Record<'id' | 'timestamp' | 'signature', string> & { body: string | Uint8Array<ArrayBuffer> }
const headersOf = ({ id, timestamp, signature }: Omit<Delivery, 'body'>) => ({
  'webhook-id': id,
  'webhook-timestamp': timestamp,
  'webhook-signature': signature,
})

const verify = (
  changes: Partial<Delivery & { secret: string | string[]; headers: WebhookHeaders } & VerifyOptions> = {},
) => {
  const { body, secret, headers, now = sentAt, ...rest } = { ...vector, ...changes } as typeof changes & typeof vector
  const { toleranceSeconds = 300 } = changes
  return verifyWebhook(body, headers ?? headersOf(rest), secret, { now, toleranceSeconds })
}

/** The reason for a rejection; `undefined` if the delivery is accepted. */
const refusal = (given: Promise<unknown>): Promise<WebhookRefusal | undefined> =>
  given.then(
    () => undefined,
    (error: unknown) => {
      assert.ok(error instanceof WebhookVerificationError, String(error))
      return error.reason
    },
  )

const secretOf = (key: Uint8Array) => `whsec_${Buffer.from(key).toString('base64')}`
const otherSecret = secretOf(Buffer.alloc(32, 7))
const sign = (body: string | Uint8Array, secret = vector.secret) => {
  const hmac = createHmac('sha256', Buffer.from(secret.slice(6), 'base64'))
  return `v1,${hmac.update(`${vector.id}.${vector.timestamp}.`).update(body).digest('base64')}`
}

test('the test vector is verified and returned as an event', async () => {
  assert.deepEqual(await verify(), {
    id: vector.id,
    type: 'post.published',
    timestamp: '2026-09-21T14:13:20.000Z',
    data: { id: 'p_7Hk2', status: 'published' },
  })
})

/** All variants of the text with one bit flipped. */
const withEachBitTurned = (text: string) =>
  [...Buffer.from(text, 'latin1').entries()].flatMap(([at, byte]) =>
    [0, 1, 2, 3, 4, 5, 6, 7].map((bit) => {
      const bytes = Buffer.from(text, 'latin1')
      bytes[at] = byte ^ (1 << bit)
      return bytes.toString('latin1')
    }),
  )

test('one wrong bit is rejected, in the body, id, timestamp, signature or secret', async () => {
  // Any age is accepted, so that only the signature can fail.
  const toleranceSeconds = Number.POSITIVE_INFINITY
  for (const part of ['id', 'timestamp', 'signature', 'body'] as const)
    for (const wrong of withEachBitTurned(vector[part])) {
      const body = Uint8Array.from(Buffer.from(part === 'body' ? wrong : vector.body, 'latin1'))
      const reason = await refusal(verify({ [part]: wrong, body, toleranceSeconds }))
      assert.ok(reason === 'no_match' || (part === 'timestamp' && reason === 'bad_timestamp'), `${part} ${wrong}`)
    }
  const key = Buffer.from(vector.secret.slice(6), 'base64').toString('latin1')
  for (const wrong of withEachBitTurned(key))
    assert.equal(await refusal(verify({ secret: secretOf(Buffer.from(wrong, 'latin1')) })), 'no_match')
})

test('the signature covers the order of the parts and where each one ends', async () => {
  const { id, timestamp, body } = vector
  const toleranceSeconds = Number.POSITIVE_INFINITY
  const number = { id: '1789999999', timestamp, toleranceSeconds }
  const signature = new Webhook(vector.secret).sign(number.id, sentAt, body)
  assert.equal(await refusal(verify({ ...number, signature })), undefined)
  assert.equal(await refusal(verify({ ...number, signature, id: timestamp, timestamp: number.id })), 'no_match')
  assert.equal(await refusal(verify({ id: `${id}.${timestamp}`, body: body.slice(1) })), 'no_match')
  assert.equal(await refusal(verify({ id: `${id}.`, toleranceSeconds })), 'no_match')
  assert.equal(await refusal(verify({ body: `${body}\n` })), 'no_match')
})

const anyKey = fc.uint8Array({ minLength: 24, maxLength: 64 })
const anyId = fc.stringMatching(/^evt_[a-z0-9]{1,40}$/)
const anyText = fc.string({ unit: 'binary', maxLength: 200 })

test('we accept and reject the same deliveries as the standardwebhooks package', async () => {
  const ours = (body: string, headers: Record<string, string>, secret: string) =>
    verifyWebhook(body, headers, secret).catch(() => undefined)
  const theirs = (body: string, headers: Record<string, string>, secret: string) => {
    try {
      return new Webhook(secret).verify(body, headers)
    } catch {
      return undefined
    }
  }
  const tampering = fc.constantFrom('none', 'body', 'id', 'secret', 'signature', 'more', 'unknown version')
  await fc.assert(
    fc.asyncProperty(anyKey, anyId, anyText, fc.jsonValue(), tampering, async (key, id, text, value, how) => {
      const secret = secretOf(key)
      const body = JSON.stringify({ type: text, timestamp: '2026-11-15T12:00:03.000Z', data: { [text]: value, text } })
      const at = new Date()
      const signature = new Webhook(secret).sign(id, at, body)
      const headers = headersOf({ id, timestamp: String(Math.floor(at.getTime() / 1_000)), signature })
      const stranger = new Webhook(otherSecret).sign(id, at, body)
      if (how === 'id') headers['webhook-id'] += '0'
      if (how === 'signature') headers['webhook-signature'] = stranger
      if (how === 'more') headers['webhook-signature'] = `v1a,AAAA ${stranger}  ${signature} nonsense`
      if (how === 'unknown version') headers['webhook-signature'] = signature.replace('v1', 'v2')
      const given = [how === 'body' ? `${body} ` : body, headers, how === 'secret' ? otherSecret : secret] as const
      const [our, their] = [await ours(...given), theirs(...given)]
      assert.deepEqual(our, their && { id, ...(their as object) })
      assert.equal(our !== undefined, how === 'none' || how === 'more')
    }),
  )
})

test('any text can be signed, and a signed text that is not an event has its own reason', async () => {
  await fc.assert(
    fc.asyncProperty(anyText, async (body) => {
      const signature = new Webhook(vector.secret).sign(vector.id, sentAt, body)
      assert.equal(await refusal(verify({ body, signature })), 'not_json')
      assert.equal(await refusal(verify({ body: `${body}.`, signature })), 'no_match')
    }),
  )
})

test('during a rotation the old secret, the new one and both verify', async () => {
  const both = `${sign(vector.body, otherSecret)} ${vector.signature}`
  for (const secret of [vector.secret, otherSecret, [vector.secret, otherSecret]])
    assert.equal(await refusal(verify({ signature: both, secret })), undefined)
  assert.equal(await refusal(verify({ secret: [otherSecret, vector.secret] })), undefined)
  assert.equal(await refusal(verify({ signature: both, secret: secretOf(Buffer.alloc(32, 8)) })), 'no_match')
})

test('unknown signature versions are skipped, and at most eight signatures are tried', async () => {
  const { signature } = vector
  const wrong = sign('', otherSecret)
  const preceded = (by: string, times: number) => `${`${by} `.repeat(times)}${signature}`
  assert.equal(await refusal(verify({ signature: preceded('v2,AAAA', 300) })), undefined)
  assert.equal(await refusal(verify({ signature: preceded(wrong, 7) })), undefined)
  assert.equal(await refusal(verify({ signature: preceded(wrong, 8) })), 'no_match')
  const bare = signature.slice(3)
  for (const form of [bare, `v1${bare}`, `V1,${bare}`, `x${signature}`, `${signature},`, `${signature}=`])
    assert.equal(await refusal(verify({ signature: form })), 'no_match', form)
})

test('a delivery is accepted for five minutes in either direction and not a second longer', async () => {
  const at = (seconds: number, toleranceSeconds = 300) =>
    refusal(verify({ now: secondsLater(seconds), toleranceSeconds }))
  assert.deepEqual([await at(300), await at(-300)], [undefined, undefined])
  assert.deepEqual([await at(301), await at(-301)], ['too_old', 'too_new'])
  assert.deepEqual([await at(10, 10), await at(11, 10), await at(-11, 10)], [undefined, 'too_old', 'too_new'])
  assert.equal(await refusal(verifyWebhook(vector.body, headersOf(vector), vector.secret)), 'too_old')
})

test('an invalid clock or tolerance rejects every delivery', async () => {
  assert.equal(await refusal(verify({ now: new Date(Number.NaN) })), 'too_old')
  assert.equal(await refusal(verify({ toleranceSeconds: Number.NaN })), 'too_old')
})

test('a timestamp must be a whole number of seconds', async () => {
  const forms = ['1790000000.0', '+1790000000', ' 1790000000', '1790000000 ', '01790000000', '-1', '1.79e9', '0x6ab1']
  const more = ['NaN', 'Infinity', '1790000000\n', '１７９０００００００', '9'.repeat(16), '2026-09-21T14:13:20Z']
  for (const timestamp of [...forms, ...more])
    assert.equal(await refusal(verify({ timestamp })), 'bad_timestamp', timestamp)
})

test('headers can come from fetch or Node, or be a record with names in any case', async () => {
  const plain = headersOf(vector)
  const entries = Object.entries(plain)
  const inCapitals = Object.fromEntries(entries.map(([name, value]) => [name.toUpperCase(), value]))
  const asLists = Object.fromEntries(entries.map(([name, value]) => [name, [value]]))
  const amongOthers = { host: 'a.example', 'set-cookie': ['a', 'b'], get: 'x', absent: undefined, ...plain }
  for (const headers of [plain, new Headers(plain), new Map(entries), inCapitals, asLists, amongOthers])
    assert.equal(await refusal(verify({ headers })), undefined)
})

test('a header that is missing, empty or sent twice is rejected', async () => {
  const plain = headersOf(vector)
  for (const name of Object.keys(plain)) {
    for (const value of [undefined, '', []])
      assert.equal(await refusal(verify({ headers: { ...plain, [name]: value } })), 'missing_header')
    const present = Object.entries(plain).filter(([each]) => each !== name)
    assert.equal(await refusal(verify({ headers: new Headers(present) })), 'missing_header')
    const twice = { ...plain, [name]: ['1', '1'] }
    assert.notEqual(await refusal(verify({ headers: twice })), undefined)
  }
})

test('the body can be text or bytes, and later changes to the bytes have no effect', async () => {
  const bytes = new TextEncoder().encode(vector.body)
  const within = Buffer.from(`..${vector.body}..`).subarray(2, -2)
  for (const body of [vector.body, bytes, bytes.buffer, Buffer.from(vector.body), within])
    assert.equal(await refusal(verify({ body: body as Uint8Array<ArrayBuffer> })), undefined)
  const overwritten = verify({ body: bytes })
  bytes.fill(0)
  assert.equal((await overwritten).type, 'post.published')
})

test('a body that was already parsed throws a TypeError', async () => {
  for (const body of [JSON.parse(vector.body), undefined, null])
    await assert.rejects(verify({ body }), { name: 'TypeError', message: /raw body/ })
})

test('an invalid secret is reported before anything else is checked', async () => {
  const cut = vector.secret.slice(0, 20)
  const urlSafe = `whsec_${'-_'.repeat(22)}`
  const [short, long] = [secretOf(Buffer.alloc(23)), secretOf(Buffer.alloc(65))]
  const forms = ['', 'whsec_', cut, vector.secret.slice(6), urlSafe, short, long, `${vector.secret}\n`, 'bsk_a']
  for (const secret of [...forms, [], [vector.secret, ''], undefined as unknown as string])
    assert.equal(await refusal(verifyWebhook(vector.body, {}, secret)), 'bad_secret')
})

test('signed bytes that are not a JSON event are rejected, not repaired', async () => {
  const invalid = Uint8Array.from(Buffer.from(vector.body.replace('p_7Hk2', '\xff'), 'latin1'))
  const bodies = ['', 'null', '[]', '"a"', '{}', '{"type":1,"timestamp":"a"}', '{"type":"a"}', `\uFEFF${vector.body}`]
  for (const body of [...bodies, invalid])
    assert.equal(await refusal(verify({ body, signature: sign(body) })), 'not_json', String(body))
})

test('an event of an unknown type is accepted', async () => {
  const body = '{"type":"post.sung","timestamp":"2026-09-21T14:13:20.000Z","data":["a"]}'
  const event = await verify({ body, signature: sign(body) })
  assert.deepEqual([event.type, event.data], ['post.sung', ['a']])
  assert.ok(!isWebhookEvent(event, 'post.published', 'post.rejected', 'post.review', 'post.removed', 'webhook.test'))
})

test('isWebhookEvent narrows the type of the event’s data', async () => {
  const event = await verify()
  assert.ok(isWebhookEvent(event, 'post.published', 'post.removed'))
  const type: 'post.published' | 'post.removed' = event.type
  const removalReason: string | undefined = event.data.removal?.reason
  assert.deepEqual([type, event.data.status, removalReason], ['post.published', 'published', undefined])
  const body = '{"type":"webhook.test","timestamp":"2026-09-21T14:13:20.000Z","data":{"endpoint_id":"wh_a"}}'
  const trial = await verify({ body, signature: sign(body) })
  assert.ok(isWebhookEvent(trial, 'webhook.test') && trial.data.endpoint_id === 'wh_a')
})

test('an error says what to check and contains nothing from the request', async () => {
  const error = await verify({ secret: otherSecret, id: 'evt_hostile' }).catch((caught: unknown) => caught)
  assert.ok(error instanceof WebhookVerificationError)
  assert.deepEqual([error.name, error.reason], ['WebhookVerificationError', 'no_match'])
  assert.match(error.message, /Check that the secret/)
  assert.ok(!/evt_hostile|whsec_/.test(`${error.message} ${JSON.stringify(error)}`))
})
