// Reading over the API: spec Endpoints (GET /v1/posts, GET and DELETE /v1/posts/{id}), "published post"; decisions 6 and 7.
import { freshAccount, marker } from '../accounts.ts'
import {
  equal,
  excludes,
  hasStatus,
  holds,
  includes,
  isArray,
  isObject,
  isOkJson,
  isProblem,
  isString,
  isTime,
  lacks,
  match,
  oneOf,
  sameJson,
} from '../assert.ts'
import { fixture, type Json, section } from '../checks.ts'
import {
  berlin,
  bodies,
  deletedPost,
  ended,
  instantIn,
  mainField,
  other,
  publicPost,
  publish,
  published,
  rich,
} from '../fixtures.ts'
import { linksOf } from '../formats.ts'
import { messageText, wordOf } from '../harmless.ts'
import { at, type RequestOptions, request } from '../http.ts'
import { hasNext, listOf, nextOf } from '../names.ts'
import { kinds, sites } from '../targets.ts'

const test = section('read')

const untrusted = 'untrusted-user-content'
const list = async (kind: string, query?: Json, options?: RequestOptions) =>
  isOkJson(await at(kind).get('/v1/posts', { ...options, query }))
const ids = (page) => page.data.map(({ id }) => id)

// One post ----------------------------------------------------------------------------------------
for (const kind of kinds) {
  test(`public-${kind}: decisions 6: the public ${kind} is {id, kind, url, json_url, published_at, edited_at, content_trust, author_id, license, content}`, async () => {
    const post = await published[kind]()
    const body = await publicPost(kind, post.id)
    equal(body.id, post.id)
    equal(body.kind, kind)
    equal(body.url, `${sites[kind]}/p/${post.id}`)
    equal(body.json_url, `${sites[kind]}/p/${post.id}.json`)
    isTime(body.published_at, 'published_at', { near: Date.now(), withinSeconds: 3600 })
    equal(body.edited_at ?? null, null, 'edited_at')
    isObject(body.content)
    equal(body.author_id, post.account.id)
    equal(body.content.author?.name, post.account.name)
  })
  test(`trust-${kind}: spec 8: a published ${kind} is labelled content_trust: ${untrusted}`, async () => {
    const post = await published[kind]()
    equal((await publicPost(kind, post.id)).content_trust, untrusted)
  })
  test(`licence-${kind}: spec 8: a published ${kind} carries its CC BY 4.0 licence (decisions 6: license {id, url}; content.attribution is text to credit with)`, async () => {
    const post = await published[kind]()
    const { license, content } = await publicPost(kind, post.id)
    equal(license?.id, 'CC-BY-4.0')
    equal(license.url, 'https://creativecommons.org/licenses/by/4.0/')
    equal(Object.keys(license).toSorted().join(), 'id,url', 'members of license')
    isString(content.attribution)
    includes(content.attribution, post.account.name, 'content.attribution')
  })
  test(`only-inside-content-${kind}: decisions 6: what a user wrote stands inside content and nowhere else (${kind})`, async () => {
    const post = await published[kind]()
    const { content, ...outside } = await publicPost(kind, post.id)
    const text = JSON.stringify(outside)
    const words = `${post.body.title ?? ''} ${post.body[mainField[kind]]}`
      .split(/\s+/)
      .filter(
        (word) => /^[a-z]{7,}$/.test(word) && !/^(content|license|untrusted|published|creative|commons)$/.test(word),
      )
    const leaked = words.filter((word) => new RegExp(`\\b${word}\\b`).test(text))
    equal(leaked.join(' '), '', 'words of the post outside content')
    holds(JSON.stringify(content).length > 20, 'content', 'what the user wrote', content)
  })
}
test('public-without-key: spec Endpoints: GET /v1/posts/{id} without a key is the public post', async () => {
  const post = await published.message()
  const body = await publicPost('message', post.id)
  for (const member of ['status', 'charged_micros', 'moderation', 'refunded_micros'])
    lacks(body, member, 'the public post')
})
test("public-for-another: spec Endpoints: for another caller's post it is the public post too", async () => {
  const post = await published.message()
  const stranger = await other()
  sameJson(
    isOkJson(await at('message').get(`/v1/posts/${post.id}`, { key: stranger.key })),
    await publicPost('message', post.id),
    'what another caller reads',
  )
})
test('record-for-the-caller: spec Endpoints: with the posting key it is the status record', async () => {
  const post = await published.message()
  const record = isOkJson(await at('message').get(`/v1/posts/${post.id}`, { key: post.account.key }))
  equal(record.status, 'published')
  equal(record.charged_micros, 20_000)
  match(
    (await at('message').get(`/v1/posts/${post.id}`, { key: post.account.key })).headers['cache-control'],
    /no-store|private/,
    'cache-control of the status record',
  )
})
test('no-email-in-public: spec Relay: an address is never published', async () => {
  const posts = await Promise.all(kinds.map((kind) => published[kind]).map((need) => need()))
  for (const post of posts)
    for (const path of [`/v1/posts/${post.id}`, `/v1/posts?topic=${post.body.topics[0]}`]) {
      const reply = await at(post.kind).get(path)
      for (const secret of [post.account.email, post.account.key])
        excludes(reply.text, secret, `${path} of the ${post.kind} site`)
    }
})

// Deleting ----------------------------------------------------------------------------------------
test('delete: decisions 6: DELETE /v1/posts/{id} answers 200 with the status record, deleted', async () => {
  const post = await deletedPost()
  const record = isOkJson(post.deletion)
  equal(record.id, post.id)
  equal(record.status, 'deleted')
})
test('delete-again: decisions 6: repeating it is 200 too', async () => {
  const post = await deletedPost()
  equal(isOkJson(await at('message').delete(`/v1/posts/${post.id}`, { key: post.account.key })).status, 'deleted')
})
test('deleted-is-gone: decisions 6: a deleted post is 410 post_gone to the public', async () => {
  const post = await deletedPost()
  const stranger = await other()
  isProblem(await at('message').get(`/v1/posts/${post.id}`), 410, 'post_gone')
  isProblem(await at('message').get(`/v1/posts/${post.id}`, { key: stranger.key }), 410, 'post_gone')
})
test('deleted-for-the-caller: decisions 6: its caller still reads the tombstone, without the text', async () => {
  const post = await deletedPost()
  const reply = await at('message').get(`/v1/posts/${post.id}`, { key: post.account.key })
  equal(isOkJson(reply).status, 'deleted')
  const word = wordOf(post.body.text)
  excludes(reply.text, word, 'status record of a deleted post')
})
test('deleted-leaves-the-list: spec States: a deleted post is no longer browsed', async () => {
  const post = await deletedPost()
  equal(ids(await list('message', { topic: post.body.topics[0] })).length, 0, 'posts with its topic')
})
test("delete-of-another: decisions 6: another caller's post is 404 post_not_found to DELETE, public or not, and stays", async () => {
  const post = await published.message()
  const stranger = await other()
  isProblem(await at('message').delete(`/v1/posts/${post.id}`, { key: stranger.key }), 404, 'post_not_found')
  equal((await publicPost('message', post.id)).id, post.id, 'the post afterwards')
})
test('delete-final: spec States: deletion is irreversible: no edit and no appeal afterwards', async () => {
  const post = await deletedPost()
  for (const [method, path, body] of [
    ['PATCH', '', { text: messageText() }],
    ['POST', '/appeal', { message: 'Please bring it back.' }],
  ] as Json[][]) {
    const reply = await at('message').send(method, `/v1/posts/${post.id}${path}`, { body, key: post.account.key })
    oneOf(reply.status, [409, 410], `${method} ${path} of a deleted post`)
  }
})

// Lists -------------------------------------------------------------------------------------------
const topic = `bb-${marker()}`
/** Five messages with one topic, two of them in Berlin, one in California. */
const batch = fixture('five published messages with one topic', async () => {
  const account = await freshAccount({ micros: 1_000_000 })
  const places = [
    berlin,
    { country: 'DE', state: 'DE-BY' },
    { country: 'US', state: 'US-CA' },
    { country: 'US' },
    undefined,
  ]
  const posts = await Promise.all(
    places.map((location) => publish('message', bodies.message({ topics: [topic], location }), account)),
  )
  return { account, posts }
})
test('list-envelope: decisions 7: GET /v1/posts answers {data, next_cursor, content_trust}', async () => {
  await batch()
  for (const kind of kinds) {
    const page = await list(kind)
    isArray(page.data)
    holds(hasNext(page), 'next_cursor', 'a member', Object.keys(page))
    equal(page.content_trust, untrusted, 'content_trust of the envelope')
  }
})
test('list-items: spec Endpoints: each item has content_trust (decisions 7: data is public posts)', async () => {
  const { posts } = await batch()
  const page = await list('message', { topic })
  for (const item of page.data) {
    equal(item.content_trust, untrusted, 'content_trust of an item')
    equal(item.license?.id, 'CC-BY-4.0', 'license.id of an item')
    sameJson(item, await publicPost('message', item.id), 'item of the list')
  }
  equal(page.data.length, posts.length, 'posts with the topic')
})
test('list-topic: spec Endpoints: topic filters', async () => {
  const { posts } = await batch()
  equal(
    ids(await list('message', { topic }))
      .toSorted()
      .join(),
    posts
      .map(({ id }) => id)
      .toSorted()
      .join(),
  )
  equal(ids(await list('message', { topic: `bb-${marker()}` })).length, 0, 'posts with a topic nobody used')
})
test('list-newest-first: spec Endpoints: newest published posts first', async () => {
  await batch()
  const times = (await list('message', { limit: '100' })).data.map((item) => `${item.published_at} ${item.id}`)
  const sorted = times.toSorted((a, b) => Date.parse(b.split(' ')[0]) - Date.parse(a.split(' ')[0]) || (b > a ? 1 : -1))
  equal(times.map((time) => time.split(' ')[0]).join(), sorted.map((time) => time.split(' ')[0]).join())
})
test("list-kind-of-the-site: decisions 2: GET /v1/posts lists that site's kind", async () => {
  const posts = await Promise.all(kinds.map((kind) => published[kind]).map((need) => need()))
  for (const kind of kinds) {
    const page = await list(kind, { limit: '100' })
    equal([...new Set(page.data.map((item) => item.kind))].join(), kind, `kinds on the ${kind} site`)
    holds(
      ids(page).includes(posts.find((post) => post.kind === kind).id) || page.data.length === 100,
      `list of the ${kind} site`,
      'its published post',
      ids(page).slice(0, 5),
    )
  }
})
for (const [id, query, count] of [
  ['country', { country: 'DE' }, 2],
  ['state', { state: 'DE-BE' }, 1],
  ['country-us', { country: 'US' }, 2],
  ['city', { city: '2950159' }, 1],
  ['country-and-state', { country: 'US', state: 'US-CA' }, 1],
  ['nothing', { country: 'FR' }, 0],
] as Json[][])
  test(`list-${id}: ${id === 'country' ? 'spec Endpoints' : 'decisions 7'}: ${Object.keys(query).join(' and ')} filter (${Object.values(query).join(', ')})`, async () => {
    await batch()
    equal((await list('message', { topic, ...query })).data.length, count, `posts for ${JSON.stringify(query)}`)
  })
test('list-author: decisions 14: the author filter takes an account id', async () => {
  const { account, posts } = await batch()
  equal(
    ids(await list('message', { author: account.id }))
      .toSorted()
      .join(),
    posts
      .map(({ id }) => id)
      .toSorted()
      .join(),
    'posts of the author',
  )
  equal(ids(await list('story', { author: account.id })).length, 0, 'posts of the author on the story site')
})
test('list-since-until: decisions 7: since and until filter by time', async () => {
  const { posts } = await batch()
  const all = (await list('message', { topic })).data
  equal((await list('message', { topic, since: new Date(Date.now() + 60_000).toISOString() })).data.length, 0)
  equal(
    (await list('message', { topic, since: new Date(Date.now() - 3_600_000).toISOString() })).data.length,
    posts.length,
    'posts since an hour ago',
  )
  equal((await list('message', { topic, until: new Date(Date.now() - 3_600_000).toISOString() })).data.length, 0)
  holds(all.length === posts.length, 'posts with the topic', String(posts.length), all.length)
})
test('list-limit: decisions 7: limit 1–100', async () => {
  await batch()
  equal((await list('message', { topic, limit: '1' })).data.length, 1, 'posts with limit=1')
  equal((await list('message', { topic, limit: '3' })).data.length, 3, 'posts with limit=3')
  hasStatus(await at('message').get('/v1/posts', { query: { limit: '100' } }), 200)
})
// decisions 10: any bad query parameter. That a value which cannot be a topic or a state is bad, rather than finding nothing, is the reading here.
for (const [name, value] of [
  ['limit', '0'],
  ['limit', '101'],
  ['limit', '-1'],
  ['limit', 'ten'],
  ['limit', '1.5'],
  ['cursor', 'not-a-cursor'],
  ['country', 'Germany'],
  ['state', 'nowhere'],
  ['topic', 'Not A Topic'],
  ['since', 'yesterday'],
  ['city', 'Berlin'],
])
  test(`list-bad-${name}-${value.replace(/\W/g, '').toLowerCase()}: decisions 10: ${name}=${value} is 400 invalid_query`, async () => {
    isProblem(await at('message').get('/v1/posts', { query: { [name]: value } }), 400, 'invalid_query')
  })
test('list-cursor: decisions 7: next_cursor leads to the next page, and null ends it', async () => {
  const { posts } = await batch()
  const seen = []
  let cursor: Json
  for (let page = 0; page < 5; page++) {
    const body = await list('message', { topic, limit: '2', cursor })
    seen.push(...ids(body))
    cursor = nextOf(body)
    if (cursor === null) break
    isString(cursor, 'next_cursor')
  }
  equal(cursor, null, 'next_cursor of the last page')
  equal(seen.length, posts.length, 'posts over all pages')
  equal(new Set(seen).size, seen.length, 'different posts over all pages')
  equal(seen.join(), ids(await list('message', { topic })).join(), 'order over all pages')
})
test('list-link-next: decisions 7: Link: <…>; rel="next" while there is more', async () => {
  await batch()
  const first = await at('message').get('/v1/posts', { query: { topic, limit: '2' } })
  const [next] = linksOf(first, 'next')
  isString(next?.href, 'href of rel="next"')
  const url = new URL(next.href, sites.message)
  equal(url.origin, sites.message, 'origin of rel="next"')
  const second = await request('GET', url.href)
  equal(listOf(second).length, 2, 'posts on the page that rel="next" names')
  holds(
    !ids(second.json).some((id) => ids(first.json).includes(id)),
    'second page',
    'other posts than the first',
    ids(second.json),
  )
  equal(linksOf(await at('message').get('/v1/posts', { query: { topic, limit: '100' } }), 'next').length, 0)
})
test('list-cursor-stable: decisions 7: the cursor is stable under inserts', async () => {
  const account = await freshAccount({ micros: 200_000 })
  const own = `bb-${marker()}`
  const posts = await Promise.all(
    [1, 2, 3, 4].map(() => publish('message', bodies.message({ topics: [own] }), account)),
  )
  const first = await list('message', { topic: own, limit: '2' })
  const late = await publish('message', bodies.message({ topics: [own] }), account)
  const second = await list('message', { topic: own, limit: '2', cursor: nextOf(first) })
  equal(
    [...ids(first), ...ids(second)].toSorted().join(),
    posts
      .map(({ id }) => id)
      .toSorted()
      .join(),
  )
  equal(ids(await list('message', { topic: own }))[0], late.id, 'first post of a fresh list')
})
test('list-etag: decisions 7: a weak ETag; If-None-Match answers 304 without a body', async () => {
  await batch()
  const first = await at('message').get('/v1/posts', { query: { topic } })
  match(first.headers.etag, /^W\/"[^"]+"$/)
  const again = await at('message').get('/v1/posts', {
    query: { topic },
    headers: { 'if-none-match': first.headers.etag },
  })
  hasStatus(again, 304)
  equal(again.bytes.length, 0, 'bytes of a 304')
  equal(again.headers.etag, first.headers.etag, 'etag of the 304')
})
test('list-etag-changes: decisions 7: another list has another ETag', async () => {
  await batch()
  const one = await at('message').get('/v1/posts', { query: { topic, limit: '1' } })
  const two = await at('message').get('/v1/posts', { query: { topic, limit: '2' } })
  holds(one.headers.etag !== two.headers.etag, 'etags of two lists', 'two', one.headers.etag)
  hasStatus(
    await at('message').get('/v1/posts', {
      query: { topic, limit: '2' },
      headers: { 'if-none-match': one.headers.etag },
    }),
    200,
  )
})
test('list-unmetered: spec Endpoints: browsing is free and unmetered: no RateLimit header, no charge', async () => {
  await rich()
  const account = await freshAccount({ micros: 1_000 })
  for (let time = 0; time < 5; time++) {
    const reply = await at('message').get('/v1/posts', { key: account.key })
    hasStatus(reply, 200)
    for (const name of ['ratelimit', 'ratelimit-policy'])
      holds(!(name in reply.headers), `${name} on GET /v1/posts`, 'absent', reply.headers[name])
  }
  equal(await account.balance(), 1_000, 'balance_micros')
})

// Ads and events ----------------------------------------------------------------------------------
const adTopic = `bb-${marker()}`
const ads = fixture('four published ads with one topic', async () => {
  const account = await freshAccount({ micros: 2_000_000 })
  const make = (extra) => publish('classified', bodies.classified({ topics: [adTopic], ...extra }), account)
  return Promise.all([
    make({ price: { amount: 10, currency: 'EUR' }, condition: 'new' }),
    make({ price: { amount: 25, currency: 'EUR' }, condition: 'good' }),
    make({ price: { amount: 40, currency: 'USD' }, condition: 'good', category: 'wanted' }),
    make({ category: 'free' }),
  ])
})
for (const [id, query, wanted] of [
  ['category', { category: 'for-sale' }, [0, 1]],
  ['category-wanted', { category: 'wanted' }, [2]],
  ['condition', { condition: 'good' }, [1, 2]],
  ['currency', { currency: 'EUR' }, [0, 1]],
  ['min-price', { currency: 'EUR', min_price: '20' }, [1]],
  ['max-price', { currency: 'EUR', max_price: '20' }, [0]],
  ['price-range', { currency: 'EUR', min_price: '10', max_price: '25' }, [0, 1]],
] as Json[][])
  test(`ads-${id}: decisions 7: ${Object.keys(query).join(', ')} filter ads`, async () => {
    const posts = await ads()
    equal(
      ids(await list('classified', { topic: adTopic, ...query }))
        .toSorted()
        .join(),
      wanted
        .map((index) => posts[index].id)
        .toSorted()
        .join(),
      `ads for ${JSON.stringify(query)}`,
    )
  })
for (const [name, value] of [
  ['category', 'weapons'],
  ['condition', 'broken'],
  ['min_price', 'cheap'],
  ['currency', 'ZZZ'],
])
  test(`ads-bad-${name.replace('_', '-')}: decisions 10: ${name}=${value} is 400 invalid_query`, async () => {
    isProblem(await at('classified').get('/v1/posts', { query: { [name]: value } }), 400, 'invalid_query')
  })

const eventTopic = `bb-${marker()}`
const days = (count) => Date.now() + count * 86_400_000
const events = fixture('two published events with one topic', async () => {
  const account = await freshAccount({ micros: 500_000 })
  const make = (day) =>
    publish(
      'event',
      bodies.event({
        topics: [eventTopic],
        timezone: 'UTC',
        starts_at: instantIn('UTC', days(day)),
        ends_at: instantIn('UTC', days(day) + 3_600_000),
      }),
      account,
    )
  return Promise.all([make(10), make(30)])
})
for (const [id, query, wanted] of [
  ['starts-after', () => ({ starts_after: new Date(days(20)).toISOString() }), [1]],
  ['starts-before', () => ({ starts_before: new Date(days(20)).toISOString() }), [0]],
  [
    'starts-between',
    () => ({ starts_after: new Date(days(5)).toISOString(), starts_before: new Date(days(40)).toISOString() }),
    [0, 1],
  ],
] as Json[][])
  test(`events-${id}: decisions 7: starts_after and starts_before filter events`, async () => {
    const posts = await events()
    equal(
      ids(await list('event', { topic: eventTopic, ...query() }))
        .toSorted()
        .join(),
      wanted
        .map((index) => posts[index].id)
        .toSorted()
        .join(),
      `events for ${JSON.stringify(query())}`,
    )
  })

test('ended-event-leaves-the-list: spec Endpoints: GET /v1/posts excludes ended events', async () => {
  const post = await ended()
  equal(ids(isOkJson(post.listed)).join(), post.id, 'list before its end')
  equal(ids(await list('event', { topic: post.topic })).length, 0, 'events in the list after its end')
})
test('ended-event-can-be-read: decisions 5: an ended event itself stays', async () => {
  const post = await ended()
  equal((await publicPost('event', post.id)).id, post.id, 'id of GET /v1/posts/{id}')
})

// What is not there, wrong keys, hostile paths ------------------------------------------------------
const unknownPost = 'post_01hzzzzzzzzzzzzzzzzzzzzzzz'
test('unknown-post: decisions 10: an unknown post is 404 post_not_found, with and without a key', async () => {
  const account = await other()
  isProblem(await at('message').get(`/v1/posts/${unknownPost}`), 404, 'post_not_found')
  isProblem(await at('message').get(`/v1/posts/${unknownPost}`, { key: account.key }), 404, 'post_not_found')
  isProblem(await at('message').delete(`/v1/posts/${unknownPost}`, { key: account.key }), 404, 'post_not_found')
})
test('malformed-id: decisions 10: what is no post id is 404, never 5xx', async () => {
  for (const id of [
    '1',
    'post_',
    'acct_01hzzzzzzzzzzzzzzzzzzzzzzz',
    'POST_01HZZZZZZZZZZZZZZZZZZZZZZZ',
    '%F0%9F%90%88',
    'a'.repeat(300),
    "1'--",
  ])
    isProblem(await at('message').get(`/v1/posts/${id}`), 404)
})
for (const path of ['/v1/posts', `/v1/posts/${unknownPost}`])
  test(`wrong-key${path === '/v1/posts' ? '-list' : '-post'}: decisions 10: a key that is sent but wrong is always 401 (GET ${path.replace(unknownPost, '{id}')})`, async () => {
    isProblem(await at('message').get(path, { key: `bsk_${'A'.repeat(49)}` }), 401, 'invalid_api_key')
  })
test('no-5xx-paths: decisions 10: hostile paths and queries are answered below 500', async () => {
  for (const path of [
    '/v1/posts/%00',
    '/v1/posts/%zz',
    '/v1/posts/%C0%80',
    '//v1//posts',
    `/v1/posts?topic=${'a'.repeat(6000)}`,
    '/v1/posts?limit=1&limit=2',
    '/v1/posts?limit[]=1',
    '/v1/posts?cursor=%00',
    "/v1/posts?cursor=';--",
    '/v1/posts?country=%F0%9F%87%A9',
    '/v1/posts?since=NaN',
    '/v1/posts/__proto__',
  ])
    for (const kind of ['message', 'event']) {
      const reply = await at(kind).get(path)
      holds(reply.status < 500, `GET ${path} on the ${kind} site`, 'a status below 500', reply.toString())
    }
})
test('head-and-options-are-safe: decisions 10: HEAD and OPTIONS are answered below 500', async () => {
  const post = await published.message()
  for (const method of ['HEAD', 'OPTIONS'])
    for (const path of ['/v1/posts', `/v1/posts/${post.id}`])
      holds((await at('message').send(method, path)).status < 500, `${method} ${path}`, 'below 500', '5xx')
})
