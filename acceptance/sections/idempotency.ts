// Idempotency-Key on POST /v1/posts: spec Endpoints note 2 and Limits; decisions 10.
import { freshAccount, marker } from '../accounts.ts'
import { equal, hasStatus, holds, isProblem, lacks, match, oneOf, sameJson } from '../assert.ts'
import { fixture, section } from '../checks.ts'
import { bodies, dryRun, other, rich, submit, waitForDecision } from '../fixtures.ts'
import { messageText, prose } from '../harmless.ts'
import { at } from '../http.ts'

const test = section('idempotency')

const newKey = () => `acceptance-${marker(8)}`
const keyed = (key) => ({ headers: { 'idempotency-key': key } })
const post = (body, account, key, options = {}) => submit('message', body, account, { ...options, ...keyed(key) })
const replayed = (reply) => reply.headers['idempotent-replayed']

function isReplayOf(reply, first, what = 'repeat') {
  hasStatus(reply, 202)
  equal(replayed(reply), 'true', `idempotent-replayed of the ${what}`)
  sameJson(reply.json, first.json, `body of the ${what}`)
}
function isNew(reply, what = 'request') {
  hasStatus(reply, 202)
  holds(replayed(reply) !== 'true', `idempotent-replayed of the ${what}`, 'absent', replayed(reply))
}

/** One account, one post, one key; the balance before and after. */
const first = fixture('a message sent with an Idempotency-Key', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const body = bodies.message({ topics: ['tea', 'harbour'] })
  const key = newKey()
  const reply = await post(body, account, key)
  return { account, body, key, reply, balance: await account.balance() }
})

test('first-is-not-replayed: spec Endpoints 2: the first response carries no Idempotent-Replayed: true', async () => {
  const { reply, balance } = await first()
  isNew(reply, 'first request')
  equal(balance, 80_000, 'balance_micros')
})
test('repeat-is-replayed: spec Endpoints 2: same key and same body returns the first response with Idempotent-Replayed: true', async () => {
  const { account, body, key, reply } = await first()
  isReplayOf(await post(body, account, key), reply)
})
test('repeat-is-not-charged: spec Limits: a retry is never charged twice', async () => {
  const { account, body, key, balance } = await first()
  for (let time = 0; time < 3; time++) hasStatus(await post(body, account, key), 202)
  equal(await account.balance(), balance, 'balance_micros')
})
test('repeat-keeps-headers: spec Endpoints 2: the first response comes back, Retry-After with it', async () => {
  const { account, body, key } = await first()
  match((await post(body, account, key)).headers['retry-after'], /^\d+$/, 'retry-after of the repeat')
})
test('same-body-other-whitespace: decisions 10: "same body" compares canonical JSON: whitespace does not count', async () => {
  const { account, body, key, reply } = await first()
  isReplayOf(await post(JSON.stringify(body, null, 4), account, key), reply)
})
test('same-body-other-order: decisions 10: "same body" compares canonical JSON: the order of members does not count', async () => {
  const { account, body, key, reply } = await first()
  isReplayOf(await post(JSON.stringify(Object.fromEntries(Object.entries(body).toReversed())), account, key), reply)
})
test('same-body-other-escapes: decisions 10: "same body" compares canonical JSON: the way a letter is written does not count', async () => {
  const { account, body, key, reply } = await first()
  const escaped = JSON.stringify(body).replace(
    /"text":"(.)/,
    (_whole, letter) => `"text":"\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  isReplayOf(await post(escaped, account, key), reply)
})
test('other-body-422: decisions 10: the same key with a different body is 422 idempotency_key_reused', async () => {
  const { account, key, balance } = await first()
  isProblem(await post(bodies.message(), account, key), 422, 'idempotency_key_reused')
  equal(await account.balance(), balance, 'balance_micros')
})
test('other-order-of-a-list-422: decisions 10: the order of a list is part of the body', async () => {
  const { account, body, key } = await first()
  isProblem(await post({ ...body, topics: body.topics.toReversed() }, account, key), 422, 'idempotency_key_reused')
})
test('other-account: decisions 10: the key belongs to the account: another account may use it', async () => {
  const { body, key, reply } = await first()
  const account = await freshAccount({ micros: 20_000 })
  const theirs = await post({ ...body, text: messageText() }, account, key)
  isNew(theirs, "other account's request")
  holds(theirs.json.id !== reply.json.id, 'id', 'another one', theirs.json.id)
})
test('other-site: decisions 10: the key belongs to the site: another site takes it as new', async () => {
  const account = await freshAccount({ micros: 500_000 })
  const key = newKey()
  isNew(await post(bodies.message(), account, key), 'message')
  isNew(await submit('story', bodies.story(), account, keyed(key)), 'story')
  equal(await account.balance(), 380_000, 'balance_micros after a message and a story')
})
test('without-key-twice: spec Limits: without a key each submission is a post of its own', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const one = await submit('message', { text: messageText() }, account)
  const two = await submit('message', { text: messageText() }, account)
  isNew(one)
  isNew(two)
  holds(one.json.id !== two.json.id, 'ids', 'two', one.json.id)
  equal(await account.balance(), 60_000, 'balance_micros')
})

test('eight-at-once: decisions 10: eight parallel duplicates make one post and one charge', async () => {
  const account = await freshAccount({ micros: 200_000 })
  const body = bodies.message()
  const key = newKey()
  const replies = await Promise.all(Array.from({ length: 8 }, () => post(body, account, key, { paced: false })))
  for (const reply of replies) {
    oneOf(reply.status, [202, 409], 'status of a duplicate')
    if (reply.status === 409) isProblem(reply, 409, 'idempotency_in_progress')
  }
  const ids = new Set(replies.filter(({ status }) => status === 202).map((reply) => reply.json.id))
  equal(ids.size, 1, 'different posts')
  equal(replies.filter((reply) => reply.status === 202 && replayed(reply) !== 'true').length, 1)
  equal(await account.balance(), 180_000, 'balance_micros')
  isReplayOf(
    await post(body, account, key),
    replies.find(({ status }) => status === 202),
    'ninth',
  )
})
test('eight-at-once-different: decisions 10: of eight parallel requests with one key and eight bodies one is kept', async () => {
  const account = await freshAccount({ micros: 200_000 })
  const key = newKey()
  const replies = await Promise.all(
    Array.from({ length: 8 }, () => post(bodies.message(), account, key, { paced: false })),
  )
  equal(replies.filter(({ status }) => status === 202).length, 1, 'accepted')
  for (const reply of replies.filter(({ status }) => status !== 202)) {
    oneOf(reply.status, [409, 422])
    oneOf(reply.json.code, ['idempotency_in_progress', 'idempotency_key_reused'])
  }
  equal(await account.balance(), 180_000, 'balance_micros')
})

for (const [id, key] of [
  ['7', '1234567'],
  ['129', 'k'.repeat(129)],
  ['tab', 'abcd\tefgh'],
  ['quoted-7', '"1234567"'],
  ['quoted-129', `"${'k'.repeat(129)}"`],
])
  test(`key-${id}: spec Limits: a key is 8 to 128 printable characters (${id}): 400 invalid_idempotency_key, nothing charged`, async () => {
    const account = await freshAccount({ micros: 20_000 })
    isProblem(await post(bodies.message(), account, key), 400, 'invalid_idempotency_key')
    equal(await account.balance(), 20_000, 'balance_micros')
  })
for (const length of [8, 128])
  test(`key-${length}: spec Limits: a key of ${length} characters is accepted`, async () => {
    const account = await rich()
    const key = `${marker(3)}${marker(30)}${marker(30)}`.slice(0, length)
    equal(key.length, length, 'the check itself')
    isNew(await post(bodies.message(), account, key))
  })
test('key-printable: spec Limits: every printable ASCII character may stand in a key', async () => {
  const account = await rich()
  isNew(await post(bodies.message(), account, `${marker(3)}!#$%&'()*+,-./:;<=>?@[]^_\`{|}~`))
})
test('key-uuid: spec Limits: a UUID is a key', async () => {
  const account = await rich()
  isNew(await post(bodies.message(), account, crypto.randomUUID()))
})
test('key-quoted: decisions 10: the key is accepted bare or as a quoted structured string, and both are the same key', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const body = bodies.message()
  const key = newKey()
  const quoted = await post(body, account, `"${key}"`)
  isNew(quoted)
  isReplayOf(await post(body, account, key), quoted, 'bare repeat')
  isReplayOf(await post(body, account, `"${key}"`), quoted, 'quoted repeat')
})
test('key-case: spec Limits: keys that differ in case are different keys', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const key = newKey()
  isNew(await post(bodies.message(), account, key))
  isNew(await post(bodies.message(), account, key.toUpperCase()))
})

test('402-is-not-remembered: decisions 10: only 202 is kept: after a 402 the same key works once there is money', async () => {
  const account = await freshAccount()
  const body = bodies.message()
  const key = newKey()
  isProblem(await post(body, account, key), 402, 'insufficient_balance')
  await account.credit(20_000)
  const paid = await post(body, account, key)
  isNew(paid)
  isReplayOf(await post(body, account, key), paid)
  equal(await account.balance(), 0, 'balance_micros')
})
test('422-is-not-remembered: decisions 10: only 202 is kept: after a 422 the same key works with a repaired body', async () => {
  const account = await rich()
  const key = newKey()
  isProblem(await post({ text: prose(501) }, account, key), 422, 'validation_failed')
  isNew(await post(bodies.message(), account, key))
})
test('dry-run-is-not-remembered: decisions 10: only 202 is kept: a dry run leaves its key unused', async () => {
  const account = await freshAccount({ micros: 20_000 })
  const body = bodies.message()
  const key = newKey()
  hasStatus(await dryRun('message', body, account, keyed(key)), 200)
  isNew(await post(body, account, key))
  equal(await account.balance(), 0, 'balance_micros')
})
test('replay-with-empty-balance: spec Limits: a repeat needs no money', async () => {
  const account = await freshAccount({ micros: 20_000 })
  const body = bodies.message()
  const key = newKey()
  const once = await post(body, account, key)
  isNew(once)
  isReplayOf(await post(body, account, key), once)
})
test('reused-before-balance: decisions 14, order of refusals: idempotency comes before the balance', async () => {
  const account = await freshAccount({ micros: 20_000 })
  const key = newKey()
  isNew(await post(bodies.message(), account, key))
  isProblem(await post(bodies.message(), account, key), 422, 'idempotency_key_reused')
})
test('replay-after-decision: spec Endpoints 2: the first response comes back even when the post has been decided since', async () => {
  const account = await freshAccount({ micros: 20_000 })
  const body = bodies.message()
  const key = newKey()
  const once = await post(body, account, key)
  isNew(once)
  await waitForDecision('message', once.json.id, account)
  const again = await post(body, account, key)
  isReplayOf(again, once)
  equal(again.json.status, 'queued', 'status in the repeated first response')
})
test('replay-needs-the-key-owner: spec Endpoints 2: without an API key nothing is replayed', async () => {
  const { body, key } = await first()
  isProblem(await at('message').post('/v1/posts', body, keyed(key)), 401, 'missing_api_key')
})
test('ordinary-answers-have-no-header: spec Endpoints 2: Idempotent-Replayed appears on replays only', async () => {
  const account = await other()
  lacks(
    (await at('message').get('/v1/account', { key: account.key })).headers,
    'idempotent-replayed',
    'GET /v1/account',
  )
})
