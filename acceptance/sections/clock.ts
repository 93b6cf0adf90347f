// What time alone changes: spec Limits, Authentication 4; decisions 1, 5, 14. The operator's command moves the clock of every running
// process, so this section comes last, makes all that it needs beforehand, and always sets the clock back.
import { eventually, freshAccount, marker, travel } from '../accounts.ts'
import { equal, excludes, hasStatus, holds, includes, isOkJson, match } from '../assert.ts'
import { fixture, section } from '../checks.ts'
import { bodies, publicPost, publish, submit } from '../fixtures.ts'
import { visibleText } from '../formats.ts'
import { at } from '../http.ts'
import { listOf } from '../names.ts'
import { Browser, sendForm } from '../owner-page.ts'

const test = section('clock')

/** Everything in one, so that nothing is still being made when the clock moves. */
const prepared = fixture('an ad, a keyed message and an owner link from before the clock moves', async () => {
  const account = await freshAccount({ micros: 1_000_000 })
  const topic = `bb-${marker()}`
  const keyed = { headers: { 'idempotency-key': `acceptance-${marker(8)}` } }
  const body = bodies.message()
  const first = await submit('message', body, account, keyed)
  hasStatus(first, 202)
  const again = await submit('message', body, account, keyed)
  const ad = await publish('classified', bodies.classified({ topics: [topic] }), account)
  await eventually(async () => {
    hasStatus(await at('classified').get(`/p/${ad.id}`), 200)
    includes((await at('classified').get('/index.json')).text, ad.id, '/index.json')
  })
  const { account_url } = await account.record()
  const opened = await new Browser().open(account_url)
  return { account, topic, ad, keyed, body, first, again, account_url, opened, balance: await account.balance() }
})

test('idempotency-key-kept: spec Limits: the first response is kept 24 hours: after 23 hours it is replayed', async () => {
  const { account, body, keyed, first, again, balance } = await prepared()
  equal(again.headers['idempotent-replayed'], 'true', 'idempotent-replayed at once')
  await travel('23h', async () => {
    const reply = await submit('message', body, account, keyed)
    hasStatus(reply, 202)
    equal(reply.headers['idempotent-replayed'], 'true', 'idempotent-replayed after 23 hours')
    equal(reply.json.id, first.json.id)
    equal(await account.balance(), balance, 'balance_micros')
  })
})
test('idempotency-key-forgotten: spec Limits: the first response is kept 24 hours: after 25 hours the key is new', async () => {
  const { account, keyed, first, balance } = await prepared()
  await travel('25h', async () => {
    // Another text: the same one might be refused as a near-duplicate, which is not what is tried here.
    const reply = await submit('message', bodies.message(), account, keyed)
    hasStatus(reply, 202)
    holds(
      reply.headers['idempotent-replayed'] !== 'true',
      'idempotent-replayed after 25 hours',
      'absent',
      reply.headers['idempotent-replayed'],
    )
    holds(reply.json.id !== first.json.id, 'id', 'another one', reply.json.id)
    equal(await account.balance(), balance - 20_000, 'balance_micros')
  })
})
test('owner-link-dead: spec Authentication 4: the owner link expires after one hour: dead after two, while a fresh one opens', async () => {
  const { account, account_url, opened } = await prepared()
  equal(opened.replies[0].status, 303, 'status of the link when it was new')
  await travel('2h', async () => {
    const page = await new Browser().open(account_url)
    // What a dead link answers is open; it must not be the page that sends a code, and not say whose account it was.
    holds(
      page.replies[0].status >= 400 || !sendForm(page),
      'owner link after two hours',
      'a page without a form that sends a code',
      `${page.replies[0].status} and ${page.reply.status} with such a form`,
    )
    excludes(page.text, account.name, 'owner link after two hours')
    const fresh = await new Browser().open((await account.record()).account_url)
    equal(fresh.replies[0].status, 303, 'status of a fresh link')
    hasStatus(fresh.reply, 200, 'page behind a fresh link')
  })
})
test('ad-listed-before-30-days: decisions 5: an ad is listed for 30 days: still there after 29', async () => {
  const { ad, topic } = await prepared()
  await travel('29d', async () => {
    equal(
      listOf(await at('classified').get('/v1/posts', { query: { topic } }))
        .map(({ id }) => id)
        .join(),
      ad.id,
    )
  })
})
test('ad-expired: decisions 5: an ad expires 30 days after publication: after 31 it has left lists, feeds and search; its own page stays and says so', async () => {
  const { account, ad, topic } = await prepared()
  await travel('31d', async () => {
    await eventually(async () => equal(listOf(await at('classified').get('/v1/posts', { query: { topic } })).length, 0))
    equal((await publicPost('classified', ad.id)).id, ad.id, 'id of GET /v1/posts/{id}')
    const found = listOf(
      await at('classified').get('/v1/search', { key: account.key, query: { q: ad.body.title, kind: 'classified' } }),
    )
    holds(!found.some(({ id }) => id === ad.id), 'search', 'no expired ad', ad.id)
    await eventually(async () => {
      for (const path of ['/index.json', '/feed.xml', `/topics/${topic}/index.json`]) {
        const reply = await at('classified').get(path)
        if (reply.status === 200) excludes(reply.text, ad.id, path)
      }
      const page = await at('classified').get(`/p/${ad.id}`, { headers: { accept: 'text/html' } })
      hasStatus(page, 200)
      match(visibleText(page.text), /\bexpired\b/i, 'page of an expired ad')
    })
  })
})
test('clock-is-back: decisions 14: clock reset sets the clock back', async () => {
  await prepared()
  const created = isOkJson(
    await at('message').post('/v1/accounts', {
      name: 'Acceptance',
      email: `acceptance-${marker()}@example.com`,
      accept_terms: true,
    }),
    201,
  )
  const { created_at } = isOkJson(await at('message').get('/v1/account', { key: created.api_key }))
  holds(Math.abs(Date.parse(created_at) - Date.now()) < 120_000, 'created_at of a new account', 'now', created_at)
})
