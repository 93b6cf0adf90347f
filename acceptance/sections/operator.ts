// What a person of the operator decides, and the prefilter: decisions 6 and 14. Uses the operator's commands decide, remove and restore,
// and the words that the service obeys outside production.
import { accountRecord, eventually, freshAccount, marker, operator, waitForStatus } from '../accounts.ts'
import {
  equal,
  excludes,
  fail,
  hasStatus,
  holds,
  includes,
  isObject,
  isOkJson,
  isProblem,
  isString,
  isTime,
} from '../assert.ts'
import { Failure, fixture, type Json, section } from '../checks.ts'
import {
  bodies,
  dryRun,
  policyCategories,
  prefilterText,
  publicPost,
  publish,
  submit,
  submitUntil,
  verdictText,
} from '../fixtures.ts'
import { at } from '../http.ts'
import { listOf } from '../names.ts'
import { kinds } from '../targets.ts'

const test = section('operator')

const record = async (post) => isOkJson(await at(post.kind).get(`/v1/posts/${post.id}`, { key: post.account.key }))
const eventsAbout = async (post) =>
  listOf(await at('message').get('/v1/events', { key: post.account.key, query: { limit: '50' } })).filter(
    (event) => event.data?.id === post.id,
  )
const hasEvent = (post: Json, type: string, test: (event: Json) => boolean = () => true) =>
  eventually(async () => {
    const events = await eventsAbout(post)
    const found = events.find((event) => event.type === type && test(event))
    if (!found)
      fail('GET /v1/events', `${type} about ${post.id}`, events.map((event) => event.type).join(' ') || 'none')
    return found
  }, 15)

// The prefilter -----------------------------------------------------------------------------------
const refused = fixture('a message that the prefilter refused', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const topic = `bb-${marker()}`
  const body = { text: await prefilterText(), topics: [topic] }
  return { account, topic, body, reply: await submit('message', body, account) }
})
test('prefilter: decisions 6: a refusal of the prefilter is 422 prefilter_refused with category and reason', async () => {
  const { reply } = await refused()
  const { abusive } = await policyCategories()
  const problem = isProblem(reply, 422, 'prefilter_refused')
  equal(problem.category, abusive)
  isString(problem.reason)
})
test('prefilter-charges-nothing: decisions 6: what the prefilter refuses is not charged and adds no strike', async () => {
  const { account } = await refused()
  const { balance_micros, owed_micros, strikes } = await accountRecord(account.key)
  equal(balance_micros, 100_000)
  equal(owed_micros, 0)
  equal(strikes, 0)
})
test('prefilter-stores-nothing: decisions 6: what the prefilter refuses is not stored: no post, no event', async () => {
  const { account, topic, reply } = await refused()
  equal(listOf(await at('message').get('/v1/posts', { query: { topic } })).length, 0, 'posts with its topic')
  equal(listOf(await at('message').get('/v1/events', { key: account.key })).length, 0, 'events of the account')
  holds(!('id' in reply.json), 'problem', 'no id of a post', reply.json.id)
})
test('prefilter-every-kind: decisions 14: the word works in a post of every kind', async () => {
  const { abusive } = await policyCategories()
  const account = await freshAccount({ micros: 1_000_000 })
  for (const kind of kinds) {
    const body = bodies[kind]()
    body[kind === 'message' ? 'text' : 'body'] += ` prefilter-refuse-${abusive}`
    isProblem(await submit(kind, body, account), 422, 'prefilter_refused')
  }
  equal(await account.balance(), 1_000_000, 'balance_micros')
})
test('prefilter-every-category: decisions 14: category ids of the policy are those of the test words', async () => {
  const { all } = await policyCategories()
  const account = await freshAccount({ micros: 100_000 })
  for (const { name } of all)
    equal(
      isProblem(
        await dryRun('message', { text: `${bodies.message().text} prefilter-refuse-${name}` }, account),
        422,
        'prefilter_refused',
      ).category,
      name,
    )
})
test('prefilter-before-balance: decisions 14, order of refusals: the prefilter comes before the balance', async () => {
  isProblem(await submit('message', { text: await prefilterText() }, await freshAccount()), 422, 'prefilter_refused')
})
test('prefilter-key-unused: decisions 10: only 202 is kept: after a refusal the same Idempotency-Key works with another text', async () => {
  const account = await freshAccount({ micros: 20_000 })
  const headers = { 'idempotency-key': `acceptance-${marker(8)}` }
  isProblem(await submit('message', { text: await prefilterText() }, account, { headers }), 422, 'prefilter_refused')
  hasStatus(await submit('message', bodies.message(), account, { headers }), 202)
})

// Review -------------------------------------------------------------------------------------------
const reviewed = (name, micros, ...decision) =>
  fixture(name, async () => {
    const account = await freshAccount({ micros })
    const topic = `bb-${marker()}`
    const post = await submitUntil(
      'review',
      'message',
      { text: verdictText('verdict-review'), topics: [topic] },
      account,
    )
    const words = decision.map((word) =>
      word === '<category>' ? policyCategories().then(({ abusive }) => abusive) : word,
    )
    await operator('decide', post.id, ...(await Promise.all(words)))
    const decided = (await waitForStatusAfterReview(post)).record
    return { ...post, topic, decided, after: await accountRecord(account.key) }
  })
/** A decision of a person may take a moment to be carried out. */
async function waitForStatusAfterReview(post) {
  const value = await eventually(async () => {
    const now = await record(post)
    if (now.status === 'review')
      throw new Failure(`post ${post.id}: expected a status other than review after decide, came review`)
    return now
  }, 15)
  return { record: value }
}
const accepted = reviewed('a reviewed message that a person publishes', 100_000, 'publish')
const lowQuality = reviewed('a reviewed message that a person finds of low quality', 100_000, 'low-quality')
const rejected = reviewed('a reviewed message that a person rejects', 1_000_000, 'reject', '<category>')

test('review-published: decisions 6: review → published by a person (decide … publish)', async () => {
  const post = await accepted()
  equal(post.decided.status, 'published')
  isTime(post.decided.decided_at, 'decided_at', { near: Date.now(), withinSeconds: 600 })
  equal((await publicPost('message', post.id)).content.text, post.body.text, 'content.text of the public post')
  equal(post.after.balance_micros, 80_000)
  equal(post.after.strikes, 0)
})
test('review-published-event: spec Events: post.review, then post.published when a person decides', async () => {
  const post = await accepted()
  await hasEvent(post, 'post.published')
  equal((await eventsAbout(post)).map((event) => event.type).join(' '), 'post.review post.published')
})
test('review-published-listed: spec States: what a person publishes is listed and has its page', async () => {
  const post = await accepted()
  equal(
    listOf(await at('message').get('/v1/posts', { query: { topic: post.topic } }))
      .map(({ id }) => id)
      .join(),
    post.id,
    'posts with its topic',
  )
  await eventually(async () => hasStatus(await at('message').get(`/p/${post.id}`), 200))
})
test('review-low-quality: decisions 6: review → rejected by a person as low quality: everything comes back, no strike', async () => {
  const post = await lowQuality()
  equal(post.decided.status, 'rejected')
  equal(post.decided.rejection?.abusive, false)
  equal(post.decided.rejection.refunded, true)
  equal(post.decided.refunded_micros, 20_000)
  equal(post.after.balance_micros, 100_000)
  equal(post.after.strikes, 0)
  await hasEvent(post, 'post.rejected')
})
test('review-rejected: decisions 6: a person alone is enough for ten times the price and a strike', async () => {
  const post = await rejected()
  const { abusive } = await policyCategories()
  equal(post.decided.status, 'rejected')
  equal(post.decided.rejection?.category, abusive)
  equal(post.decided.rejection.abusive, true)
  equal(post.decided.rejection.strike, true)
  equal(post.decided.charged_micros, 200_000)
  equal(post.after.balance_micros, 800_000)
  equal(post.after.strikes, 1)
  await hasEvent(post, 'post.rejected', (event) => event.data.rejection?.category === abusive)
})
test("review-rejected-private: decisions 6: another's rejected post is 404", async () => {
  const posts = await Promise.all([rejected, lowQuality].map((need) => need()))
  for (const post of posts) isProblem(await at('message').get(`/v1/posts/${post.id}`), 404, 'post_not_found')
})
const fails = async (...words) => {
  const outcome = await operator(...words).then(
    () => 'success',
    (error) => error,
  )
  holds(outcome instanceof Failure, `broadside ${words.join(' ')}`, 'an exit code other than 0', outcome)
}
test('decide-once: decisions 6: any other move is refused: a rejected post is not decided again', async () => {
  const post = await lowQuality()
  await fails('decide', post.id, 'publish')
  equal((await record(post)).status, 'rejected')
})
test('decide-unknown: decisions 14: decide refuses a post or a category that does not exist', async () => {
  const post = await accepted()
  await fails('decide', 'post_01hzzzzzzzzzzzzzzzzzzzzzzz', 'publish')
  await fails('remove', post.id, 'no-such-category')
  equal((await record(post)).status, 'published')
})

// Removal ------------------------------------------------------------------------------------------
const removed = fixture('a published message that the operator removed', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const topic = `bb-${marker()}`
  const post = await publish('message', bodies.message({ topics: [topic] }), account)
  // Seen on its page first, so that its disappearance means something.
  await eventually(async () => hasStatus(await at('message').get(`/p/${post.id}`), 200))
  const before = await accountRecord(account.key)
  const { abusive: category } = await policyCategories()
  await operator('remove', post.id, category)
  return { ...post, topic, category, before }
})
test('removed-record: decisions 6: published → removed by a person; the status record has removal', async () => {
  const post = await removed()
  const now = await record(post)
  equal(now.status, 'removed')
  isObject(now.removal)
  equal(now.removal.category, post.category)
})
test('removed-gone: decisions 6: a removed post is 410 post_gone to the public', async () => {
  const post = await removed()
  isProblem(await at('message').get(`/v1/posts/${post.id}`), 410, 'post_gone')
  equal(listOf(await at('message').get('/v1/posts', { query: { topic: post.topic } })).length, 0)
})
test('removed-event: spec Events: post.removed when a post is removed (decisions 9: with removal, without user text)', async () => {
  const post = await removed()
  const event = await hasEvent(post, 'post.removed')
  equal(event.data.status, 'removed')
  isObject(event.data.removal)
  excludes(JSON.stringify(event), post.body.text.slice(0, 30), 'event')
})
test('removed-from-pages: decisions 11: /p/{id} of a removed post answers 410; it leaves the feeds and is in /deleted.json', async () => {
  const post = await removed()
  await eventually(async () => {
    hasStatus(await at('message').get(`/p/${post.id}`), 410)
    for (const path of ['/index.json', '/feed.xml', `/topics/${post.topic}/index.json`]) {
      const reply = await at('message').get(path)
      if (reply.status === 200) excludes(reply.text, post.id, path)
    }
    includes((await at('message').get('/deleted.json')).text, post.id, '/deleted.json')
  })
})
test('removed-appeal: decisions 6: a removal may be appealed', async () => {
  const post = await removed()
  hasStatus(
    await at('message').post(
      `/v1/posts/${post.id}/appeal`,
      { message: 'Please look again: this is a notice about the ferry.' },
      { key: post.account.key },
    ),
    202,
  )
})
test('restored: decisions 14: restore <post_id> publishes a removed post again, with its page', async () => {
  const account = await freshAccount({ micros: 100_000 })
  const post = await publish('message', bodies.message(), account)
  await operator('remove', post.id, (await policyCategories()).abusive)
  equal((await record(post)).status, 'removed', 'status after remove')
  await eventually(async () => hasStatus(await at('message').get(`/p/${post.id}`), 410))
  await operator('restore', post.id)
  await waitForStatus('message', post.id, account.key, ['published'], 5)
  equal((await publicPost('message', post.id)).content.text, post.body.text)
  await eventually(async () => hasStatus(await at('message').get(`/p/${post.id}`), 200))
})
test('restore-published: decisions 6: any other move is refused: a published post is not restored', async () => {
  const post = await accepted()
  await fails('restore', post.id)
})
