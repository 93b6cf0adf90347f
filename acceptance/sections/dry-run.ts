// dry_run=true: spec Endpoints note 1; decisions 6.
import { freshAccount, marker } from '../accounts.ts'
import {
  equal,
  hasStatus,
  holds,
  isArray,
  isInteger,
  isObject,
  isOkJson,
  isProblem,
  isTime,
  lacks,
  oneOf,
  sameJson,
} from '../assert.ts'
import { type Json, section } from '../checks.ts'
import { banned, bodies, dryRun, prefilterText, rich, submit } from '../fixtures.ts'
import { messageText, prose } from '../harmless.ts'
import { at } from '../http.ts'
import { kinds } from '../targets.ts'

const test = section('dry-run')

for (const kind of kinds)
  test(`answer-${kind}: decisions 6: dry_run=true answers 200 {dry_run, kind, charge, balance_micros, balance_after_micros, standing, prefilter, moderation} (${kind})`, async () => {
    const account = await freshAccount({ micros: 1_000_000 })
    const body = isOkJson(await dryRun(kind, bodies[kind](), account))
    equal(body.dry_run, true)
    equal(body.kind, kind)
    isObject(body.charge)
    for (const member of ['post_micros', 'links_micros']) isInteger(body.charge[member], `charge.${member}`, { min: 0 })
    isInteger(body.charge.total_micros, 'charge.total_micros', { min: 1 })
    equal(body.charge.post_micros + body.charge.links_micros, body.charge.total_micros)
    equal(body.balance_micros, 1_000_000)
    equal(body.balance_after_micros, 1_000_000 - body.charge.total_micros)
    equal(body.standing, 'good')
    equal(body.prefilter?.passed, true)
    isArray(body.prefilter.notes)
    oneOf(body.moderation?.state, ['running', 'starting'])
    isTime(body.moderation.estimated_decision_at)
    lacks(body, 'id', 'a dry run')
  })

test('charge-of-links: decisions 6: charge is {post_micros, links_micros, total_micros}: a message with two links', async () => {
  const account = await rich()
  const { charge } = isOkJson(
    await dryRun(
      'message',
      { text: `${messageText()} See https://example.com/tram and https://example.org/map for more.` },
      account,
    ),
  )
  sameJson(charge, { post_micros: 20_000, links_micros: 20_000, total_micros: 40_000 })
})

test('charges-nothing: spec Endpoints 1: a dry run charges nothing', async () => {
  const account = await freshAccount({ micros: 100_000 })
  for (let time = 0; time < 5; time++) hasStatus(await dryRun('message', bodies.message(), account), 200)
  equal(await account.balance(), 100_000, 'balance_micros')
})

test('stores-nothing: spec Endpoints 1: a dry run stores nothing: no post appears, and its text can be posted afterwards', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const topic = `bb-${marker()}`
  const body = bodies.message({ topics: [topic] })
  hasStatus(await dryRun('message', body, account), 200)
  await new Promise((resolve) => setTimeout(resolve, 3_000))
  const list = isOkJson(await at('message').get('/v1/posts', { query: { topic } }))
  equal(list.data.length, 0, 'published posts with the topic of the dry run')
  hasStatus(await submit('message', body, account), 202)
})

test('false-is-a-real-post: spec Endpoints: dry_run=false is a real post', async () => {
  const account = await freshAccount({ micros: 20_000 })
  hasStatus(await submit('message', bodies.message(), account, { query: { dry_run: 'false' } }), 202)
  equal(await account.balance(), 0, 'balance_micros')
})

test('not-a-boolean: spec Endpoints: dry_run is a boolean; anything else is 400 invalid_query and charges nothing', async () => {
  const account = await freshAccount({ micros: 20_000 })
  isProblem(await submit('message', bodies.message(), account, { query: { dry_run: 'maybe' } }), 400, 'invalid_query')
  equal(await account.balance(), 20_000, 'balance_micros')
})

test('no-retry-after: spec Endpoints 3: nothing is queued, so there is nothing to poll', async () => {
  const account = await rich()
  const reply = await dryRun('message', bodies.message(), account)
  hasStatus(reply, 200)
  holds(!('retry-after' in reply.headers), 'retry-after of a dry run', 'absent', reply.headers['retry-after'])
})

// "or exactly the error that the real call would give"
const without = (problem) => ({
  ...problem,
  instance: undefined,
  account_url: undefined,
  error: { ...problem.error, account_url: undefined },
})
const sameError = (id: string, clause: string, status: number, code: string, make: () => Json) =>
  test(`${id}: decisions 6: a dry run gives exactly the error of the real call: ${clause}`, async () => {
    const { kind = 'message', body, account, headers } = await make()
    const real = await at(kind).post('/v1/posts', body, { key: account?.key, headers })
    const dry = await at(kind).post('/v1/posts', body, { key: account?.key, headers, query: { dry_run: 'true' } })
    sameJson(without(isProblem(dry, status, code)), without(isProblem(real, status, code)), 'problem of the dry run')
  })
sameError('error-validation', '422 validation_failed', 422, 'validation_failed', async () => ({
  account: await rich(),
  body: { text: prose(501), topics: ['Bad Topic'], colour: 1 },
}))
sameError('error-balance', '402 insufficient_balance', 402, 'insufficient_balance', async () => ({
  account: await freshAccount({ micros: 19_999 }),
  body: { text: messageText() },
}))
sameError('error-prefilter', '422 prefilter_refused', 422, 'prefilter_refused', async () => ({
  account: await rich(),
  body: { text: await prefilterText() },
}))
sameError('error-no-key', '401 missing_api_key', 401, 'missing_api_key', () => ({ body: { text: messageText() } }))
sameError('error-wrong-key', '401 invalid_api_key', 401, 'invalid_api_key', () => ({
  account: { key: `bsk_${'B'.repeat(49)}` },
  body: { text: messageText() },
}))
sameError('error-banned', '403 account_banned', 403, 'account_banned', async () => ({
  account: (await banned()).account,
  body: { text: messageText() },
}))
sameError('error-malformed', '400 malformed_json', 400, 'malformed_json', async () => ({
  account: await rich(),
  body: '{"text":',
}))
sameError('error-idempotency-key', '400 invalid_idempotency_key', 400, 'invalid_idempotency_key', async () => ({
  account: await rich(),
  body: { text: messageText() },
  headers: { 'idempotency-key': 'short' },
}))
sameError('error-story', '422 on the story site', 422, 'validation_failed', async () => ({
  kind: 'story',
  account: await rich(),
  body: { title: 'x', body: 'too short' },
}))
