// Moderation and the life of a post: spec "Post status record", "States and transitions"; decisions 6.
import { eventually, freshAccount, retryAfterOf } from '../accounts.ts'
import {
  equal,
  hasStatus,
  holds,
  isInteger,
  isInvalid,
  isObject,
  isOkJson,
  isProblem,
  isString,
  isTime,
  lacks,
  match,
  oneOf,
} from '../assert.ts'
import { fixture, section } from '../checks.ts'
import {
  abusive,
  bodies,
  inReview,
  lowQuality,
  other,
  publicPost,
  publish,
  published,
  submit,
  submitUntil,
  verdictText,
  waitForDecision,
} from '../fixtures.ts'
import { messageText } from '../harmless.ts'
import { at } from '../http.ts'
import { kinds, sites } from '../targets.ts'

const test = section('moderation')

function isQueuedModeration(moderation, what) {
  isObject(moderation, what)
  oneOf(moderation.state, ['running', 'starting'], `${what}.state`)
  isTime(moderation.estimated_decision_at, `${what}.estimated_decision_at`)
  isInteger(moderation.retry_after_seconds, `${what}.retry_after_seconds`, { min: 1, max: 1800 })
  const ahead = (Date.parse(moderation.estimated_decision_at) - Date.now()) / 1000
  // "running" decides within about a minute, "starting" within about 20: twice that is still "about".
  const most = moderation.state === 'running' ? 120 : 2400
  holds(
    ahead > -120 && ahead < most,
    `${what}.estimated_decision_at while ${moderation.state}`,
    `at most ${most} s ahead`,
    `${Math.round(ahead)} s ahead`,
  )
}

/** decisions 2: verdict-slow keeps a post queued for a while, so that the queued record can be looked at. */
const slow = fixture('a message that stays queued for a while', async () => {
  const account = await freshAccount({ micros: 200_000 })
  const reply = await submit('message', { text: verdictText('verdict-slow') }, account)
  hasStatus(reply, 202)
  const { id } = reply.json
  const polled = await at('message').get(`/v1/posts/${id}`, { key: account.key })
  const keyless = await at('message').get(`/v1/posts/${id}`)
  const stranger = await at('message').get(`/v1/posts/${id}`, { key: (await other()).key })
  const afterwards = await at('message').get(`/v1/posts/${id}`, { key: account.key })
  return { account, id, submitted: reply, polled, keyless, stranger, afterwards }
})

test('submission-has-moderation: spec Endpoints: POST /v1/posts answers 202 with moderation {state, estimated_decision_at, retry_after_seconds}', async () => {
  const post = await slow()
  const body = isOkJson(post.submitted, 202)
  equal(body.status, 'queued')
  isObject(body.moderation)
  oneOf(body.moderation.state, ['running', 'starting'])
  isTime(body.moderation.estimated_decision_at)
  isInteger(body.moderation.retry_after_seconds, 'moderation.retry_after_seconds', { min: 1 })
})
test('submission-retry-after: spec Endpoints: the 202 carries Retry-After; it equals moderation.retry_after_seconds', async () => {
  const post = await slow()
  match(post.submitted.headers['retry-after'], /^\d+$/)
  equal(retryAfterOf(post.submitted), post.submitted.json.moderation.retry_after_seconds, 'retry-after')
})
test('queued-record: spec Endpoints 3: while queued, GET /v1/posts/{id} returns moderation and Retry-After', async () => {
  const post = await slow()
  const record = isOkJson(post.polled)
  equal(record.status, 'queued', 'status of a verdict-slow post right after submission')
  isQueuedModeration(record.moderation, 'moderation')
  match(post.polled.headers['retry-after'], /^\d+$/)
  equal(retryAfterOf(post.polled), record.moderation.retry_after_seconds, 'retry-after')
})
test('queued-record-members: decisions 6: the status record is {id, kind, status, created_at, decided_at, url, charged_micros, refunded_micros, policy_version, moderation}', async () => {
  const post = await slow()
  const record = isOkJson(post.polled)
  equal(record.id, post.id)
  equal(record.kind, 'message')
  isTime(record.created_at, 'created_at', { near: Date.now() })
  for (const member of ['decided_at', 'url']) holds(member in record, member, 'a member (null while queued)', record)
  equal(record.decided_at, null, 'decided_at while queued')
  equal(record.charged_micros, 20_000)
  equal(record.refunded_micros, 0)
  holds(record.policy_version !== undefined && record.policy_version !== null, 'policy_version', 'a version', record)
})
test("queued-is-private: decisions 6: another's queued post is 404 post_not_found", async () => {
  const post = await slow()
  equal(post.afterwards.json.status, 'queued', 'status of the verdict-slow post after the strangers looked')
  isProblem(post.keyless, 404, 'post_not_found')
  isProblem(post.stranger, 404, 'post_not_found')
})
test('status-document: spec Endpoints: /v1/status says that the API is up, whether the model is running or idle, and how many posts are queued', async () => {
  // Field names are not settled: the three facts must be there.
  for (const kind of kinds) {
    const body = isOkJson(await at(kind).get('/v1/status'))
    const text = JSON.stringify(body)
    match(text, /"(ok|up|operational|available|healthy)"|:true/i, 'whether the API is up')
    match(text, /"(running|idle|starting)"/, 'state of the model')
    match(text, /"[a-z_]*queue[a-z_]*":(\d+|\{[^}]*\d+)/, 'count of queued posts')
  }
})
test('status-counts-queued: spec Endpoints: the count of queued posts includes a post that is queued', async () => {
  const account = await freshAccount({ micros: 20_000 })
  const { id } = (await submit('message', { text: verdictText('verdict-slow') }, account)).json
  const status = (await at('message').get('/v1/status')).json
  const stillQueued = (await at('message').get(`/v1/posts/${id}`, { key: account.key })).json.status === 'queued'
  const counts = []
  const visit = (node, path) => {
    if (typeof node === 'number' && /queue/i.test(path)) counts.push(node)
    else if (node && typeof node === 'object')
      for (const [name, value] of Object.entries(node)) visit(value, `${path}/${name}`)
  }
  visit(status, '')
  if (stillQueued)
    holds(
      counts.some((count) => count >= 1),
      'count of queued posts in /v1/status',
      'at least 1',
      status,
    )
})

for (const kind of kinds)
  test(`published-${kind}: spec States: a ${kind} that the model accepts becomes published`, async () => {
    const post = await published[kind]()
    equal(post.record.status, 'published')
    lacks(post.record, 'moderation', 'a record that is not queued')
    lacks(post.record, 'rejection', 'a published record')
    isTime(post.record.decided_at)
    isString(post.record.url)
  })
test('published-url: decisions 11: the url of a published post is its page on the site of its kind', async () => {
  const posts = await Promise.all(kinds.map((kind) => published[kind]).map((need) => need()))
  for (const post of posts) equal(post.record.url, `${sites[post.kind]}/p/${post.id}`, `url of the ${post.kind}`)
})
test('decided-has-no-retry-after: spec Endpoints 3: Retry-After belongs to the queued state', async () => {
  const post = await published.message()
  const reply = await at('message').get(`/v1/posts/${post.id}`, { key: post.account.key })
  holds(!('retry-after' in reply.headers), 'retry-after of a published post', 'absent', reply.headers['retry-after'])
})
test('low-quality-rejected: spec Resources: a rejected post carries a rejection category and a reason (decisions 6: rejection {category, reason, abusive, refunded, strike, appeal})', async () => {
  const post = await lowQuality()
  equal(post.record.status, 'rejected')
  isString(post.record.rejection.category)
  isString(post.record.rejection.reason)
  for (const member of ['abusive', 'refunded', 'strike'])
    equal(typeof post.record.rejection[member], 'boolean', `type of rejection.${member}`)
  holds('appeal' in post.record.rejection, 'rejection.appeal', 'a member', post.record.rejection)
  isTime(post.record.decided_at)
  lacks(post.record, 'moderation', 'a rejected record')
})
test('abusive-rejected: spec States: queued → rejected with category and reason when the model rejects', async () => {
  const post = await abusive()
  equal(post.record.status, 'rejected')
  isString(post.record.rejection.category)
  isString(post.record.rejection.reason)
})
test("rejected-is-private: decisions 6: another's rejected post is 404 post_not_found", async () => {
  const low = await lowQuality()
  const abuse = await abusive()
  const stranger = await other()
  for (const post of [low, abuse]) {
    isProblem(await at('message').get(`/v1/posts/${post.id}`), 404, 'post_not_found')
    isProblem(await at('message').get(`/v1/posts/${post.id}`, { key: stranger.key }), 404, 'post_not_found')
  }
})
test('review: spec States: queued → review when a person must decide', async () => {
  const post = await inReview()
  equal(post.record.status, 'review')
  lacks(post.record, 'rejection', 'a record in review')
  // "moderation: present while status is queued" (spec); whether it may be present in review is open.
})
test("review-is-private: decisions 14: another's post in review is 404", async () => {
  const post = await inReview()
  const stranger = await other()
  isProblem(await at('message').get(`/v1/posts/${post.id}`), 404, 'post_not_found')
  isProblem(await at('message').get(`/v1/posts/${post.id}`, { key: stranger.key }), 404, 'post_not_found')
})
// Edits -----------------------------------------------------------------------------------------
const edited = fixture('a message that its caller edited', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const post = await publish('message', bodies.message(), account)
  const before = await publicPost('message', post.id)
  const text = messageText()
  const reply = await at('message').patch(`/v1/posts/${post.id}`, { text }, { key: account.key })
  const during = await publicPost('message', post.id)
  return { ...post, before, text, edit: reply, during, balance: await account.balance() }
})
test('edit-accepted: decisions 6: PATCH /v1/posts/{id} answers 202 and costs 10,000', async () => {
  const post = await edited()
  hasStatus(post.edit, 202)
  equal(post.balance, 70_000, 'balance_micros after a message and an edit')
})
test('edit-replaces: decisions 6: an accepted edit replaces the published version and sets edited_at', async () => {
  const post = await edited()
  equal(post.before.edited_at ?? null, null, 'edited_at before')
  oneOf(post.during.content.text, [post.body.text, post.text], 'text while the edit is moderated')
  await eventually(async () => {
    const now = await publicPost('message', post.id)
    equal(now.content.text, post.text)
    isTime(now.edited_at)
    equal(now.published_at, post.before.published_at)
  }, 65)
})
test('edit-in-the-record: decisions 6: the status record carries edit: {status, submitted_at, rejection?}', async () => {
  const post = await edited()
  const record = isOkJson(await at('message').get(`/v1/posts/${post.id}`, { key: post.account.key }))
  isObject(record.edit)
  isString(record.edit.status)
  isTime(record.edit.submitted_at, 'edit.submitted_at', { near: Date.now(), withinSeconds: 600 })
})
test('edit-rejected-keeps: decisions 6: a rejected edit leaves the old version up', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const post = await publish('message', bodies.message(), account)
  hasStatus(
    await at('message').patch(
      `/v1/posts/${post.id}`,
      { text: verdictText('verdict-low-quality') },
      { key: account.key },
    ),
    202,
  )
  await new Promise((resolve) => setTimeout(resolve, 10_000))
  const now = await publicPost('message', post.id)
  equal(now.content.text, post.body.text)
  equal(now.edited_at ?? null, null, 'edited_at')
  equal(isOkJson(await at('message').get(`/v1/posts/${post.id}`, { key: account.key })).status, 'published')
})
test('edit-invalid: decisions 6: an edit obeys the rules of its kind', async () => {
  const post = await published.message()
  isInvalid(await at('message').patch(`/v1/posts/${post.id}`, { text: '' }, { key: post.account.key }), '/text')
  isInvalid(await at('message').patch(`/v1/posts/${post.id}`, { colour: 'red' }, { key: post.account.key }), '/colour')
})
test("edit-of-another: decisions 6: another's post cannot be edited", async () => {
  const post = await published.message()
  const stranger = await other()
  // The stranger has no balance; the balance comes last in the order of refusals (decisions 14).
  isProblem(
    await at('message').patch(`/v1/posts/${post.id}`, { text: messageText() }, { key: stranger.key }),
    404,
    'post_not_found',
  )
  equal((await publicPost('message', post.id)).content.text, post.body.text)
})
test('edit-unpublished: decisions 6: only published posts are edited: 409 invalid_state', async () => {
  const post = await lowQuality()
  isProblem(
    await at('message').patch(`/v1/posts/${post.id}`, { text: messageText() }, { key: post.account.key }),
    409,
    'invalid_state',
  )
})
test('edit-without-money: decisions 4: an edit that the balance cannot cover is 402', async () => {
  const account = await freshAccount({ micros: 20_000 })
  const post = await publish('message', bodies.message(), account)
  isProblem(
    await at('message').patch(`/v1/posts/${post.id}`, { text: messageText() }, { key: account.key }),
    402,
    'insufficient_balance',
  )
})

// Appeals ---------------------------------------------------------------------------------------
const appealed = fixture('a rejected message with an appeal', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const post = await submitUntil('rejected', 'message', { text: verdictText('verdict-low-quality') }, account)
  const appeal = () =>
    at('message').post(
      `/v1/posts/${post.id}/appeal`,
      { message: 'Please look again: this is a notice about the ferry.' },
      { key: account.key },
    )
  const empty = await at('message').post(`/v1/posts/${post.id}/appeal`, { message: '' }, { key: account.key })
  const long = await at('message').post(
    `/v1/posts/${post.id}/appeal`,
    { message: 'm'.repeat(1001) },
    { key: account.key },
  )
  return { ...post, empty, long, once: await appeal(), twice: await appeal() }
})
test('appeal: decisions 6: POST /v1/posts/{id}/appeal answers 202', async () => {
  const post = await appealed()
  await hasStatus(post.once, 202)
})
test('appeal-once: decisions 6: a post is appealed once: 409 invalid_state', async () => {
  const post = await appealed()
  isProblem(post.twice, 409, 'invalid_state')
})
test('appeal-message: decisions 6: the message of an appeal has 1–1,000 characters', async () => {
  const post = await appealed()
  isInvalid(post.empty, '/message')
  isInvalid(post.long, '/message')
})
test("appeal-of-another: decisions 6: another's post cannot be appealed", async () => {
  const post = await lowQuality()
  const stranger = await other()
  isProblem(
    await at('message').post(`/v1/posts/${post.id}/appeal`, { message: 'Please look again.' }, { key: stranger.key }),
    404,
    'post_not_found',
  )
})
test('appeal-of-published: decisions 6: there is nothing to appeal in a published post: 409 invalid_state', async () => {
  const post = await published.message()
  isProblem(
    await at('message').post(
      `/v1/posts/${post.id}/appeal`,
      { message: 'Please look again.' },
      { key: post.account.key },
    ),
    409,
    'invalid_state',
  )
})

// Deleting while queued -------------------------------------------------------------------------
test('delete-while-queued: decisions 6: a queued post may be deleted; its moderation is cancelled and nothing is refunded', async () => {
  const account = await freshAccount({ micros: 20_000 })
  const { id } = (await submit('message', { text: verdictText('verdict-slow') }, account)).json
  const reply = await at('message').delete(`/v1/posts/${id}`, { key: account.key })
  equal(isOkJson(reply).status, 'deleted')
  await new Promise((resolve) => setTimeout(resolve, 8_000))
  equal(isOkJson(await at('message').get(`/v1/posts/${id}`, { key: account.key })).status, 'deleted')
  equal(await account.balance(), 0, 'balance_micros')
})
test('slow-is-decided: spec States: a slow decision is a decision in the end', async () => {
  const post = await slow()
  const { record } = await waitForDecision('message', post.id, post.account)
  oneOf(record.status, ['published', 'rejected', 'review'])
})
