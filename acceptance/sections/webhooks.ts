// Webhook endpoints: spec "Webhook endpoint", "Events", Limits; decisions 9.
// Deliveries are checked only when WEBHOOK_RECEIVER names a public https receiver (see receiver.ts and the README).
import { createHmac } from 'node:crypto'
import { type Account, eventually, freshAccount, marker, operator } from '../accounts.ts'
import {
  equal,
  excludes,
  fail,
  hasStatus,
  holds,
  idPattern,
  includes,
  isArray,
  isInvalid,
  isObject,
  isOkJson,
  isProblem,
  isString,
  isTime,
  lacks,
  match,
  sameJson,
} from '../assert.ts'
import { Failure, fixture, type Json, section, show, skip } from '../checks.ts'
import {
  abusive,
  banned,
  bodies,
  inReview,
  lowQuality,
  other,
  policyCategories,
  publish,
  published,
  rich,
  submit,
  submitUntil,
  verdictText,
} from '../fixtures.ts'
import { wordOf } from '../harmless.ts'
import { at, request, sleep } from '../http.ts'
import { defaultEvents, hasNext } from '../names.ts'
import { kinds, webhookReceiver } from '../targets.ts'

const test = section('webhooks')

const register = (account, body, options = {}) =>
  at('message').post('/v1/webhooks', body, { key: account.key, ...options })
const list = async (account, kind = 'message') => {
  const body = isOkJson(await at(kind).get('/v1/webhooks', { key: account.key }))
  // decisions 14: every list is {data, next_cursor}.
  isArray(body.data, 'data of GET /v1/webhooks')
  holds(hasNext(body), 'next_cursor of GET /v1/webhooks', 'a member', Object.keys(body))
  return body.data
}

/** A url that the service accepts. Without a name server it cannot resolve names, so a public address is tried too (decisions 9 allow it). */
const hook = fixture('a url that is accepted as public', async () => {
  const account = await freshAccount()
  const refusals = []
  for (const base of [
    process.env.WEBHOOK_URL,
    webhookReceiver,
    'https://example.com/acceptance',
    'https://93.184.215.14/acceptance',
  ].filter(Boolean)) {
    const reply = await register(account, { url: `${base}/${marker()}` })
    if (reply.status === 201) return { base, url: () => `${base}/${marker()}` }
    refusals.push(`${base}: ${reply}`)
  }
  throw new Failure(`POST /v1/webhooks: expected 201 for a public https url, came ${refusals.join(' | ')}`)
})
const endpoint = fixture('a registered endpoint', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const url = (await hook()).url()
  const reply = await register(account, { url })
  hasStatus(reply, 201)
  return { account, url, reply, ...reply.json }
})

test('create: decisions 9: POST /v1/webhooks answers 201 {id, url, events, secret, created_at}', async () => {
  const { reply, url } = await endpoint()
  const body = isOkJson(reply, 201)
  match(body.id, idPattern('wh'))
  equal(body.url, url)
  isTime(body.created_at, 'created_at', { near: Date.now() })
})
test('secret-format: decisions 1: the secret is whsec_ and the base64 of 32 random bytes', async () => {
  const { secret } = await endpoint()
  match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  equal(Buffer.from(secret.slice(6), 'base64').length, 32, 'bytes of the secret')
})
test('default-events: decisions 9: events omitted means all four post.* kinds', async () => {
  const { events } = await endpoint()
  sameJson(events?.toSorted(), defaultEvents, 'events')
})
test('some-events: spec Webhook endpoint: events names what the endpoint receives', async () => {
  const { url } = await hook()
  const account = await freshAccount()
  const body = isOkJson(await register(account, { url: url(), events: ['post.published', 'post.removed'] }), 201)
  sameJson(body.events.toSorted(), ['post.published', 'post.removed'], 'events')
  sameJson((await list(account))[0].events.toSorted(), ['post.published', 'post.removed'], 'events in the list')
})
test('secret-once: spec Webhook endpoint: the secret is returned once at creation, never listed afterwards', async () => {
  const { account, id, secret } = await endpoint()
  const reply = await at('message').get('/v1/webhooks', { key: account.key })
  holds(
    !reply.text.includes('whsec_') && !reply.text.includes(secret.slice(6)),
    'GET /v1/webhooks',
    'no secret in it',
    reply.text,
  )
  const [entry] = await list(account)
  equal(entry.id, id)
  lacks(entry, 'secret', 'listed endpoint')
})
test("list: spec Endpoints: GET /v1/webhooks lists the caller's endpoints and the events of each", async () => {
  const { account, id, url } = await endpoint()
  for (const kind of kinds) {
    const entries = await list(account, kind)
    equal(entries.map((entry) => entry.id).join(), id)
    equal(entries[0].url, url)
    isArray(entries[0].events)
  }
})
test("list-of-another: spec Endpoints: GET /v1/webhooks lists the caller's own endpoints only", async () => {
  await endpoint()
  equal((await list(await freshAccount())).length, 0, 'endpoints of a new account')
})
test('unique-secrets: standards 1: each endpoint has a secret of its own', async () => {
  const { url } = await hook()
  const account = await freshAccount()
  const secrets = [
    isOkJson(await register(account, { url: url() }), 201).secret,
    isOkJson(await register(account, { url: url() }), 201).secret,
  ]
  holds(secrets[0] !== secrets[1], 'secrets of two endpoints', 'two', 'one')
})
test('explicit-443: spec Webhook endpoint: a url that names port 443 is on port 443', async () => {
  const { base } = await hook()
  const url = new URL(base)
  if (url.port) skip('the receiver is not on port 443')
  hasStatus(await register(await freshAccount(), { url: `https://${url.hostname}:443/hook?for=acceptance` }), 201)
})
for (const [id, pointer, body] of [
  ['events-unknown', '/events', { events: ['post.exploded'] }],
  ['events-text', '/events', { events: 'post.published' }],
  ['events-number', '/events', { events: [1] }],
  ['unknown-member', '/colour', { colour: 'red' }],
] as Json[][])
  test(`bad-${id}: decisions 9: an invalid registration is 422 validation_failed (${id})`, async () => {
    const { url } = await hook()
    isInvalid(await register(await freshAccount(), { url: url(), ...body }), pointer)
  })
test('bad-url-missing: spec Endpoints: url is required', async () => {
  isInvalid(await register(await freshAccount(), {}), '/url')
})

// Keys ----------------------------------------------------------------------------------------------
const unknownWebhook = 'wh_01hzzzzzzzzzzzzzzzzzzzzzzz'
const routes: Json[][] = [
  ['GET', '', undefined, 'spec Endpoints'],
  ['POST', '', { url: 'https://93.184.215.14/hook' }, 'spec Endpoints'],
  ['POST', `/${unknownWebhook}/test`, undefined, 'spec Endpoints'],
  ['DELETE', `/${unknownWebhook}`, undefined, 'spec Endpoints'],
  ['GET', `/${unknownWebhook}/deliveries`, undefined, 'decisions 9'],
  ['POST', `/${unknownWebhook}/replay`, { event_id: 'evt_01hzzzzzzzzzzzzzzzzzzzzzzz' }, 'decisions 9'],
  ['POST', `/${unknownWebhook}/rotate`, undefined, 'decisions 9'],
]
for (const [method, path, body, source] of routes)
  test(`401-${method.toLowerCase()}${path.replace(unknownWebhook, 'id').replaceAll('/', '-')}: ${source}: ${method} /v1/webhooks${path.replace(unknownWebhook, '{id}')} requires a key: 401 missing_api_key, 401 invalid_api_key`, async () => {
    for (const [key, code] of [
      [undefined, 'missing_api_key'],
      [`bsk_${'A'.repeat(49)}`, 'invalid_api_key'],
    ] as Json[][]) {
      const reply = await at('message').send(method, `/v1/webhooks${path}`, { body, key })
      isProblem(reply, 401, code)
      match(reply.headers['www-authenticate'], /^Bearer\b/)
    }
  })
test('401-events: decisions 9: GET /v1/events requires a key', async () => {
  isProblem(await at('message').get('/v1/events'), 401, 'missing_api_key')
})
test('404-unknown: decisions 10: an unknown webhook is 404 webhook_not_found', async () => {
  const account = await other()
  for (const [method, path] of [
    ['DELETE', ''],
    ['POST', '/test'],
    ['POST', '/rotate'],
    ['GET', '/deliveries'],
  ])
    isProblem(
      await at('message').send(method, `/v1/webhooks/${unknownWebhook}${path}`, { key: account.key }),
      404,
      'webhook_not_found',
    )
})
test('banned: decisions 3: creating a webhook from a banned account answers 403 account_banned', async () => {
  const { account } = await banned()
  const { url } = await hook()
  isProblem(await register(account, { url: url() }), 403, 'account_banned')
})

// The five limit ------------------------------------------------------------------------------------
test('five-then-409: spec Errors: a sixth endpoint is 409 too_many_webhooks', async () => {
  const { url } = await hook()
  const account = await freshAccount()
  for (let time = 0; time < 5; time++) hasStatus(await register(account, { url: url() }), 201)
  isProblem(await register(account, { url: url() }), 409, 'too_many_webhooks')
  const entries = await list(account)
  equal(entries.length, 5, 'endpoints')
  hasStatus(await at('story').delete(`/v1/webhooks/${entries[0].id}`, { key: account.key }), 204)
  hasStatus(await register(account, { url: url() }), 201)
})
test('five-at-once: spec Limits: of eight registrations at once five are kept', async () => {
  const { url } = await hook()
  const account = await freshAccount()
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => register(account, { url: url() }, { paced: false })),
  )
  equal(
    replies
      .map(({ status }) => status)
      .toSorted()
      .join(' '),
    '201 201 201 201 201 409 409 409',
  )
  equal((await list(account)).length, 5, 'endpoints')
})

// Deleting, testing, rotating, replaying --------------------------------------------------------------
test('delete: decisions 9: DELETE answers 204 and the endpoint is gone', async () => {
  const { url } = await hook()
  const account = await freshAccount()
  const { id } = isOkJson(await register(account, { url: url() }), 201)
  const reply = await at('message').delete(`/v1/webhooks/${id}`, { key: account.key })
  hasStatus(reply, 204)
  equal(reply.bytes.length, 0, 'bytes of a 204')
  equal((await list(account)).length, 0, 'endpoints')
  for (const [method, path] of [
    ['DELETE', ''],
    ['POST', '/test'],
    ['GET', '/deliveries'],
  ])
    isProblem(
      await at('message').send(method, `/v1/webhooks/${id}${path}`, { key: account.key }),
      404,
      'webhook_not_found',
    )
})
test("of-another: spec Endpoints: another caller's endpoint is not found", async () => {
  const { id, account } = await endpoint()
  const stranger = await freshAccount()
  for (const [method, path, body] of [
    ['DELETE', ''],
    ['POST', '/test'],
    ['POST', '/rotate'],
    ['GET', '/deliveries'],
    ['POST', '/replay', { since: new Date(0).toISOString(), until: new Date().toISOString() }],
  ] as Json[][])
    isProblem(
      await at('message').send(method, `/v1/webhooks/${id}${path}`, { key: stranger.key, body }),
      404,
      'webhook_not_found',
    )
  equal((await list(account)).length, 1, 'endpoints of the owner')
})
const tested = fixture('an endpoint with a test delivery', async () => {
  const account = await freshAccount({ micros: 5_000 })
  const { id } = isOkJson(await register(account, { url: (await hook()).url() }), 201)
  return { account, id, reply: await at('message').send('POST', `/v1/webhooks/${id}/test`, { key: account.key }) }
})
test('test: decisions 9: POST /v1/webhooks/{id}/test answers 202 {event_id}', async () => {
  const { reply } = await tested()
  match(isOkJson(reply, 202).event_id, idPattern('evt'))
})
test('test-is-free: spec Prices: a test webhook is free', async () => {
  const { account } = await tested()
  equal(await account.balance(), 5_000, 'balance_micros')
})
test('deliveries: decisions 9: GET /v1/webhooks/{id}/deliveries lists deliveries with their attempts', async () => {
  const { account, id, reply } = await tested()
  const { event_id } = reply.json
  await eventually(async () => {
    const answer = await at('message').get(`/v1/webhooks/${id}/deliveries`, { key: account.key })
    const body = isOkJson(answer)
    const entries = body.data
    isArray(entries, 'data of the deliveries')
    holds(hasNext(body), 'next_cursor of the deliveries', 'a member', Object.keys(body))
    const entry = entries.find((delivery) => JSON.stringify(delivery).includes(event_id))
    isObject(entry, `delivery of ${event_id}`)
    isArray(entry.attempts)
    holds(entry.attempts.length >= 1, 'attempts', 'at least one', entry.attempts)
  }, 35)
})
test('rotate: decisions 9: POST /v1/webhooks/{id}/rotate answers 200 with a new secret, once', async () => {
  const { url } = await hook()
  const account = await freshAccount()
  const first = isOkJson(await register(account, { url: url() }), 201)
  const second = isOkJson(await at('message').send('POST', `/v1/webhooks/${first.id}/rotate`, { key: account.key }))
  match(second.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  holds(second.secret !== first.secret, 'secret', 'a new one', 'the old one')
  excludes((await at('message').get('/v1/webhooks', { key: account.key })).text, 'whsec_', 'GET /v1/webhooks')
})
test('replay: decisions 9: POST /v1/webhooks/{id}/replay {event_id} or {since, until} answers 202 {queued: n}', async () => {
  const { account, id, reply } = await tested()
  const byEvent = isOkJson(
    await at('message').post(`/v1/webhooks/${id}/replay`, { event_id: reply.json.event_id }, { key: account.key }),
    202,
  )
  // Whether a test event can be replayed is open: it may stand in no log.
  includes([0, 1], byEvent.queued, 'queued')
  const since = new Date(Date.now() - 3_600_000).toISOString()
  const byRange = isOkJson(
    await at('message').post(
      `/v1/webhooks/${id}/replay`,
      { since, until: new Date(Date.now() + 1_000).toISOString() },
      { key: account.key },
    ),
    202,
  )
  holds(Number.isInteger(byRange.queued), 'queued', 'a count', byRange)
})
test('replay-invalid: decisions 9: a replay names an event or a range', async () => {
  const { account, id } = await tested()
  isProblem(await at('message').post(`/v1/webhooks/${id}/replay`, {}, { key: account.key }), 422, 'validation_failed')
})
test('unverified-may-register: decisions 3: email_verified: false does not stop creating webhooks', async () => {
  const { url } = await hook()
  const account = await freshAccount()
  equal((await account.record()).email_verified, false)
  hasStatus(await register(account, { url: url() }), 201)
})

// Hostile urls (decisions 9: https, port 443, no credentials, no private or reserved address, resolving to public ones only) -------
export const hostile = {
  schemes:
    'http://example.com/hook ftp://example.com/hook ws://example.com/hook wss://example.com/hook file:///etc/passwd javascript:alert(1) data:text/plain,x gopher://example.com:443/_x //example.com/hook HTTP://93.184.215.14/hook'.split(
      ' ',
    ),
  ports:
    'https://93.184.215.14:80/hook https://93.184.215.14:8443/hook https://93.184.215.14:444/hook https://93.184.215.14:22/ https://93.184.215.14:0/ https://93.184.215.14:65536/ https://example.com:4433/hook'.split(
      ' ',
    ),
  credentials:
    'https://user@93.184.215.14/hook https://user:secret@93.184.215.14/hook https://:secret@93.184.215.14/hook https://93.184.215.14%40127.0.0.1@93.184.215.14/'.split(
      ' ',
    ),
  'ipv4-private':
    'https://127.0.0.1/ https://127.255.255.254/ https://10.0.0.1/ https://10.255.255.255/ https://172.16.0.1/ https://172.31.255.255/ https://192.168.0.1/ https://192.168.255.255/ https://169.254.169.254/latest/meta-data/ https://100.64.0.1/ https://100.127.255.255/ https://0.0.0.0/'.split(
      ' ',
    ),
  'ipv4-reserved':
    'https://192.0.2.1/ https://198.51.100.1/ https://203.0.113.10/ https://198.18.0.1/ https://192.0.0.8/ https://224.0.0.1/ https://239.255.255.250/ https://240.0.0.1/ https://255.255.255.255/'.split(
      ' ',
    ),
  'ipv4-disguised':
    'https://2130706433/ https://0x7f000001/ https://0x7f.0.0.1/ https://0177.0.0.1/ https://017700000001/ https://127.1/ https://127.0.1/ https://0/ https://10.1/ https://127.0.0.1./ https://１２７.０.０.１/ https://127。0。0。1/ https://①②⑦.⓪.⓪.①/'.split(
      ' ',
    ),
  ipv6: 'https://[::1]/ https://[::]/ https://[::ffff:127.0.0.1]/ https://[::ffff:7f00:1]/ https://[::ffff:10.0.0.1]/ https://[::ffff:169.254.169.254]/ https://[::127.0.0.1]/ https://[fc00::1]/ https://[fd12:3456:789a::1]/ https://[fe80::1]/ https://[fe80::1%25eth0]/ https://[fec0::1]/ https://[ff02::1]/ https://[2001:db8::1]/ https://[64:ff9b::7f00:1]/ https://[64:ff9b:1::7f00:1]/ https://[2002:7f00:1::]/ https://[2001:0:7f00:1::]/ https://[100::1]/ https://[0:0:0:0:0:0:0:1]/'.split(
    ' ',
  ),
  names:
    'https://localhost/ https://localhost./ https://LOCALHOST/ https://hooks.localhost/ https://localhost.localdomain/ https://intranet/ https://printer.local/ https://metadata.google.internal/ https://db.internal/ https://nothing.invalid/ https://nothing.test/ https://127.0.0.1.nip.io/ https://localtest.me/'.split(
      ' ',
    ),
  malformed: [
    '',
    ' ',
    'hook',
    '/hook',
    'https://',
    'https:///hook',
    'https://exa mple.com/',
    'https://example.com:abc/',
    'https://[::1/',
    'https://%00/',
    'https://-/',
    'https://.../',
    'https://example..com/',
  ],
  types: [null, 1, true, {}, [], ['https://93.184.215.14/']],
}
for (const [family, urls] of Object.entries(hostile))
  test(`hostile-${family}: spec Webhook endpoint and decisions 9: the url is public https on port 443 (${urls.length} refused: ${family})`, async () => {
    const account = await freshAccount()
    const wrong = []
    for (const url of urls) {
      const reply = await register(account, { url })
      if (reply.status !== 422) wrong.push(`${show(url)} → ${reply}`)
      else isInvalid(reply, '/url')
      if (reply.status === 201) await at('message').delete(`/v1/webhooks/${reply.json.id}`, { key: account.key })
    }
    equal(wrong.join(' | '), '', 'urls that were not refused with 422')
    equal((await list(account)).length, 0, 'endpoints afterwards')
  })
// Events without a receiver ---------------------------------------------------------------------------
test('event-bodies: decisions 9: events are thin: {type, timestamp, data: {id, kind, status, …}} and no user text', async () => {
  const posts = await Promise.all([lowQuality, inReview].map((need) => need()))
  for (const post of posts) {
    const body = isOkJson(await at('message').get('/v1/events', { key: post.account.key }))
    isArray(body.data, 'data of GET /v1/events')
    holds(hasNext(body), 'next_cursor of GET /v1/events', 'a member', Object.keys(body))
    for (const event of body.data) {
      isString(event.type)
      isTime(event.timestamp)
      for (const member of ['id', 'kind', 'status']) isString(event.data?.[member], `data.${member}`)
      excludes(JSON.stringify(event), wordOf(post.body.text), 'event')
    }
  }
})

test('one-log: decisions 9: GET /v1/events has the outcome of each post, the same bodies as the webhooks', async () => {
  const low = await lowQuality()
  const review = await inReview()
  const abuse = await abusive()
  for (const [post, type] of [
    [low, 'post.rejected'],
    [review, 'post.review'],
    [abuse, 'post.rejected'],
  ] as Json[][]) {
    const event = await eventually(async () => {
      const body = isOkJson(await at('message').get('/v1/events', { key: post.account.key }))
      const found = body.data?.find((entry) => entry.data?.id === post.id)
      if (!found) fail('GET /v1/events', `an event about ${post.id}`, JSON.stringify(body).slice(0, 200))
      return found
    }, 10)
    equal(event.type, type)
    isTime(event.timestamp)
    equal(event.data.kind, 'message')
    equal(event.data.status, post.record.status)
    if (type === 'post.rejected') equal(event.data.rejection?.category, post.record.rejection.category)
    excludes(JSON.stringify(event), wordOf(post.body.text), 'event')
  }
})
test('events-after: decisions 9: GET /v1/events?after={evt_id} continues after that event, in order', async () => {
  const account = await rich()
  await published.message()
  await published.story()
  const list = async (query) => {
    const body = isOkJson(await at('message').get('/v1/events', { key: account.key, query }))
    isArray(body.data, 'data of GET /v1/events')
    return body.data
  }
  const all = await list({ limit: '50' })
  holds(all.length >= 2, 'events of the account', 'at least two', all.length)
  const id = (event) => event.id ?? event.event_id
  match(id(all[0]), /^evt_[0-9a-hjkmnp-tv-z]{26}$/, 'id of an event')
  // The order is that of the account's log; what happens within a second may have been written the other way round.
  for (const [index, event] of all.slice(1).entries())
    holds(
      Date.parse(event.timestamp) > Date.parse(all[index].timestamp) - 1_000,
      'timestamp of an event',
      'not a second before the one before',
      [all[index].timestamp, event.timestamp],
    )
  const rest = await list({ after: id(all[0]), limit: '50' })
  equal(id(rest[0]), id(all[1]), 'first event after the first')
  equal((await list({ limit: '1' })).length, 1, 'events with limit=1')
})
test("events-are-the-callers: spec Events: a caller receives the outcomes of the caller's own posts", async () => {
  const stranger = await other()
  const post = await published.message()
  const reply = await at('message').get('/v1/events', { key: stranger.key })
  excludes(reply.text, post.id, 'events of another account')
})

// Deliveries ------------------------------------------------------------------------------------------
/** What the receiver has got below one path; see receiver.ts for its answer. */
async function received(path) {
  const reply = await request(
    'GET',
    `${process.env.WEBHOOK_RECEIVER_LOG ?? `${webhookReceiver}/_received`}?under=${encodeURIComponent(path)}`,
  )
  hasStatus(reply, 200)
  return reply.json
}
const needsReceiver = () => {
  if (!webhookReceiver) skip('WEBHOOK_RECEIVER names no https receiver')
}
async function registerAtReceiver(account: Account, mode?: string, body = {}) {
  const path = `${mode ? `${mode}/` : ''}${marker()}`
  const registered = isOkJson(await register(account, { url: `${webhookReceiver}/${path}`, ...body }), 201)
  return { ...registered, path }
}
const arrivals = (path: string, count: number, seconds: number) =>
  eventually(async () => {
    const entries = await received(path)
    holds(entries.length >= count, `deliveries at ${path}`, `at least ${count}`, entries.length)
    return entries
  }, seconds)
function isSigned(entry, secret) {
  const id = entry.headers['webhook-id']
  const timestamp = entry.headers['webhook-timestamp']
  match(id, idPattern('evt'), 'webhook-id')
  match(timestamp, /^\d{10}$/, 'webhook-timestamp')
  holds(Math.abs(Date.now() / 1000 - Number(timestamp)) < 300, 'webhook-timestamp', 'within five minutes', timestamp)
  const expected = createHmac('sha256', Buffer.from(secret.slice('whsec_'.length), 'base64'))
    .update(`${id}.${timestamp}.${entry.body}`)
    .digest('base64')
  const signatures = String(entry.headers['webhook-signature']).split(' ')
  includes(signatures, `v1,${expected}`, 'webhook-signature')
  match(entry.headers['content-type'], /^application\/json\b/)
  return JSON.parse(entry.body)
}
test('delivery-test: spec Events: a test delivery is an HTTP POST with webhook-id, webhook-timestamp and a webhook-signature that verifies', async () => {
  needsReceiver()
  const account = await freshAccount()
  const { id, secret, path } = await registerAtReceiver(account)
  const { event_id } = isOkJson(await at('message').send('POST', `/v1/webhooks/${id}/test`, { key: account.key }), 202)
  const [entry] = await arrivals(path, 1, 30)
  equal(entry.method, 'POST')
  equal(entry.headers['webhook-id'], event_id)
  equal(isSigned(entry, secret).type, 'webhook.test')
})
test('delivery-outcomes: spec Events: post.published, post.rejected and post.review are delivered', async () => {
  needsReceiver()
  const account = await freshAccount({ micros: 500_000 })
  const { secret, path } = await registerAtReceiver(account)
  const posts = await Promise.all([
    publish('message', bodies.message(), account),
    submitUntil('rejected', 'message', { text: verdictText('verdict-low-quality') }, account),
    submitUntil('review', 'message', { text: verdictText('verdict-review') }, account),
  ])
  const bodiesGot = (await arrivals(path, 3, 30)).map((entry) => isSigned(entry, secret))
  for (const post of posts) {
    const event = bodiesGot.find((body) => body.data.id === post.id)
    equal(event?.type, `post.${post.record.status}`, `type of the event about ${post.id}`)
    excludes(JSON.stringify(event), post.body.text.slice(0, 30), 'event')
  }
})
test('delivery-retried: decisions 9: a failed delivery comes again after 5 s with the same webhook-id, a fresh timestamp and signature', async () => {
  needsReceiver()
  const account = await freshAccount()
  const { id, secret, path } = await registerAtReceiver(account, 'fail')
  await at('message').send('POST', `/v1/webhooks/${id}/test`, { key: account.key })
  const [first, second] = await arrivals(path, 2, 30)
  equal(second.headers['webhook-id'], first.headers['webhook-id'], 'webhook-id of the second attempt')
  holds(
    Number(second.headers['webhook-timestamp']) > Number(first.headers['webhook-timestamp']),
    'webhook-timestamp of the second attempt',
    'a later one',
    second.headers['webhook-timestamp'],
  )
  equal(second.body, first.body, 'body of the second attempt')
  for (const entry of [first, second]) isSigned(entry, secret)
})
test('delivery-redirect: decisions 9: redirects are not followed', async () => {
  needsReceiver()
  const account = await freshAccount()
  const { id, path } = await registerAtReceiver(account, 'redirect')
  await at('message').send('POST', `/v1/webhooks/${id}/test`, { key: account.key })
  await arrivals(path, 1, 15)
  await sleep(2_000)
  equal((await received(`landed/${path}`)).length, 0, 'requests at the address that the redirect names')
})
test('delivery-after-delete: spec Events 6: deleting an endpoint stops deliveries, including queued retries', async () => {
  needsReceiver()
  const account = await freshAccount()
  const { id, path } = await registerAtReceiver(account, 'fail')
  await at('message').send('POST', `/v1/webhooks/${id}/test`, { key: account.key })
  await arrivals(path, 1, 15)
  hasStatus(await at('message').delete(`/v1/webhooks/${id}`, { key: account.key }), 204)
  const count = (await received(path)).length
  await sleep(8_000)
  equal((await received(path)).length, count, 'deliveries 8 s after the deletion')
})
test('delivery-gone: decisions 9: 410 disables the endpoint', async () => {
  needsReceiver()
  const account = await freshAccount()
  const { id, path } = await registerAtReceiver(account, 'gone')
  await at('message').send('POST', `/v1/webhooks/${id}/test`, { key: account.key })
  await arrivals(path, 1, 15)
  await sleep(8_000)
  equal((await received(path)).length, 1, 'deliveries 8 s after the 410')
})
test('delivery-of-every-kind: spec Events: each kind of event that can be subscribed to is delivered, signed', async () => {
  needsReceiver()
  const account = await freshAccount({ micros: 200_000 })
  const { paths } = isOkJson(await at('message').get('/openapi.json'))
  const { events } = paths['/v1/webhooks'].post.requestBody.content['application/json'].schema.properties
  const all: string[] = events.items.enum
  const { secret, path } = await registerAtReceiver(account, '', { events: all })
  const later = { query: { publish_at: new Date(Date.now() + 3_000).toISOString() } }
  const { id } = await publish('message', bodies.message(), account)
  await operator('remove', id, (await policyCategories()).abusive)
  await submit('message', bodies.message(), account, later)
  const poor = { ...account, key: (await freshAccount()).key }
  const other = await registerAtReceiver(poor, '', { events: all })
  await submit('message', bodies.message(), poor, later)
  const types = async (to: string, key: string) => (await received(to)).map((entry) => isSigned(entry, key).type)
  await eventually(async () => {
    const seen = [...(await types(path, secret)), ...(await types(other.path, other.secret))]
    // The owner's answers are tried on the owner page, the end of their time by the clock.
    const possible = all.filter((type) => !/declined|expired|rejected|review/.test(type))
    equal(possible.filter((type) => !seen.includes(type)).join(' '), '')
  }, 90)
})
test('delivery-subscribed-only: spec Webhook endpoint: an endpoint receives the kinds that it names', async () => {
  needsReceiver()
  const account = await freshAccount({ micros: 200_000 })
  const { path } = await registerAtReceiver(account, '', { events: ['post.rejected'] })
  await publish('message', bodies.message(), account)
  await sleep(5_000)
  equal((await received(path)).length, 0, 'deliveries about a published post')
})
test('delivery-rotated: decisions 9: after a rotation both secrets sign for 24 h', async () => {
  needsReceiver()
  const account = await freshAccount()
  const { id, secret, path } = await registerAtReceiver(account)
  const rotated = isOkJson(await at('message').send('POST', `/v1/webhooks/${id}/rotate`, { key: account.key }))
  await at('message').send('POST', `/v1/webhooks/${id}/test`, { key: account.key })
  const [entry] = await arrivals(path, 1, 30)
  isSigned(entry, secret)
  isSigned(entry, rotated.secret)
})
