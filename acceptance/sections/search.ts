// Search and its allowances, and the daily limit of reports: spec "Limits", Endpoints; decisions 7 and 8.
//
// Checks that count an allowance of the address come last, in order, and say so (`consumes`). On Linux they come from loopback
// addresses that no earlier run has used, so they can be repeated; elsewhere they use up the day's allowance of the one address.
import { eventually, freshAccount, marker, retryAfterOf } from '../accounts.ts'
import {
  equal,
  excludes,
  hasStatus,
  holds,
  idPattern,
  includes,
  isArray,
  isInteger,
  isInvalid,
  isOkJson,
  isProblem,
  isString,
  match,
  notNearMidnight,
  oneOf,
  secondsToMidnight,
} from '../assert.ts'
import { fixture, type Json, section, skip } from '../checks.ts'
import {
  abusive,
  berlin,
  bodies,
  deletedPost,
  ended,
  inReview,
  lowQuality,
  policyCategories,
  publicPost,
  publish,
  published,
  rich,
} from '../fixtures.ts'
import { parseRateLimit } from '../formats.ts'
import { wordOf } from '../harmless.ts'
import { at, freshAddress, type RequestOptions } from '../http.ts'
import { hasNext, listOf, nextOf } from '../names.ts'
import { kinds } from '../targets.ts'

const test = section('search')

const search = (query: Json, { kind = 'message', ...options }: RequestOptions & { kind?: string } = {}) =>
  at(kind).get('/v1/search', { ...options, query: typeof query === 'string' ? { q: query } : query })
const found = (reply) => listOf(reply).map(({ id }) => id)

function isRateLimited(reply, { allowance, remaining }) {
  const [policy] = parseRateLimit(reply.headers['ratelimit-policy'], 'ratelimit-policy')
  equal(policy.name, 'search-free', 'name in RateLimit-Policy')
  equal(policy.q, allowance, 'q in RateLimit-Policy')
  equal(policy.w, 86_400, 'w in RateLimit-Policy')
  const [limit] = parseRateLimit(reply.headers.ratelimit, 'ratelimit')
  equal(limit.name, 'search-free', 'name in RateLimit')
  if (remaining !== undefined) equal(limit.r, remaining, 'r in RateLimit')
  isInteger(limit.r, 'r in RateLimit', { min: 0, max: allowance })
  const left = secondsToMidnight(reply.receivedAt)
  holds(Math.abs(limit.t - left) <= 3, 't in RateLimit', `${left} (seconds until 00:00 UTC)`, limit.t)
  return limit
}
const remainingOf = (reply) => parseRateLimit(reply.headers.ratelimit, 'ratelimit')[0].r

/** Three messages and a story that share one word; two of the messages have a word of their own besides. */
const word = marker()
const lighthouse = marker()
const bakery = marker()
const corpus = fixture('posts to be found', async () => {
  const account = await freshAccount({ micros: 2_000_000 })
  const message = (text, extra) => publish('message', bodies.message({ text, ...extra }), account)
  const posts = await Promise.all([
    message(
      `The amber lantern of the ${word} lighthouse ${lighthouse} was cleaned this morning and shines far over the bay again.`,
      { topics: ['harbour'], location: berlin },
    ),
    message(
      `A lantern of the ${word} museum, amber and brass, is shown to visitors in the small hall from Sunday on.`,
      { topics: ['museum'], location: { country: 'US', state: 'US-CA' } },
    ),
    message(
      `The bakery ${bakery} of ${word} sells rye bread with caraway on Fridays and closes at noon in the winter months.`,
      { topics: ['bread'] },
    ),
    publish('story', bodies.story({ title: `A winter in ${word}` }), account),
  ])
  const reader = await freshAccount({ micros: 10_000 })
  // Seen once through search, so that the index has them all.
  await eventually(async () => {
    const ids = found(await search(word, { key: reader.key }))
    for (const post of posts) includes(ids, post.id, `search for ${word}`)
  }, 45)
  return { posts, ids: posts.map(({ id }) => id), reader: await freshAccount() }
})
/** A key has 100 free searches a day: what counts them, and what uses many, has keys of its own. */
const counting = fixture('a key whose searches are counted', () => freshAccount())
const patient = fixture('a key for many searches', () => freshAccount())
const finds = (id, clause, query, wanted) =>
  test(`${id}: ${clause}`, async () => {
    const { ids, reader } = await corpus()
    const asked = query()
    equal(
      found(await search(asked, { key: reader.key }))
        .toSorted()
        .join(),
      wanted
        .map((index) => ids[index])
        .toSorted()
        .join(),
      `search for ${JSON.stringify(asked)}`,
    )
  })

test('envelope: decisions 7: GET /v1/search answers {data: [{…public post, highlights: [{field, start, end}]}], next_cursor, metering: {free_remaining, charged_micros}}', async () => {
  const { reader } = await corpus()
  const body = isOkJson(await search(word, { key: reader.key }))
  isArray(body.data)
  holds(hasNext(body), 'next_cursor', 'a member', Object.keys(body))
  isInteger(body.metering?.free_remaining, 'metering.free_remaining', { min: 0, max: 99 })
  equal(body.metering.charged_micros, 0)
  for (const item of body.data) {
    equal(item.content_trust, 'untrusted-user-content', 'content_trust of an item')
    equal(item.license?.id, 'CC-BY-4.0', 'license.id of an item')
    isArray(item.highlights)
    for (const { field, start, end } of item.highlights) {
      isString(field, 'highlights[].field')
      isInteger(start, 'highlights[].start', { min: 0 })
      isInteger(end, 'highlights[].end', { min: start + 1 })
    }
    // How the field is spelt (text or content.text) is open; the place in it is not, and the texts are plain letters.
    const marked = item.highlights.map(({ field, start, end }) =>
      String(item.content[field.split(/[./]/).at(-1)]).slice(start, end).toLowerCase(),
    )
    holds(
      marked.some((text) => text.includes(word)),
      'what the highlights mark',
      word,
      marked,
    )
    equal((await publicPost(item.kind, item.id)).url, item.url, 'url of an item')
  }
})
finds('word', 'decisions 7: a word finds the posts that have it, of every kind', () => word, [0, 1, 2, 3])
finds('two-words', 'decisions 7: two words find what has both', () => `${word} caraway`, [2])
finds('any-case', 'decisions 7: case does not matter', () => word.toUpperCase(), [0, 1, 2, 3])
finds('phrase', 'decisions 7: "a phrase" finds its words side by side', () => `${word} "amber lantern"`, [0])
finds(
  'without-phrase',
  'decisions 7: the same words without quotes find both orders',
  () => `${word} amber lantern`,
  [0, 1],
)
finds('not', 'decisions 7: -word leaves out', () => ({ q: `${word} -lantern`, kind: 'message' }), [2])
finds('or', 'decisions 7: or finds either', () => `${lighthouse} or ${bakery}`, [0, 2])
finds('word-of-one', 'decisions 7: a word finds only the posts that have it', () => lighthouse, [0])
finds('kind', 'decisions 7: kind filters', () => ({ q: word, kind: 'story' }), [3])
finds('topic', 'decisions 7: topic filters', () => ({ q: word, topic: 'museum' }), [1])
finds('country', 'decisions 7: country filters', () => ({ q: word, country: 'DE' }), [0])
finds('state', 'spec Endpoints: state filters', () => ({ q: word, state: 'US-CA' }), [1])
finds('city', 'decisions 7: city filters', () => ({ q: word, city: '2950159' }), [0])
finds(
  'since',
  'decisions 7: since filters',
  () => ({ q: word, since: new Date(Date.now() + 60_000).toISOString() }),
  [],
)
finds(
  'until',
  'decisions 7: until filters',
  () => ({ q: word, until: new Date(Date.now() - 86_400_000).toISOString() }),
  [],
)
finds('nothing', 'decisions 7: a word that nobody wrote finds nothing', () => marker(9), [])
test('across-the-four-sites: spec Endpoints: search covers all four sites, whichever is asked', async () => {
  const { ids, reader } = await corpus()
  for (const kind of kinds)
    equal(
      found(await search(word, { kind, key: reader.key }))
        .toSorted()
        .join(),
      ids.toSorted().join(),
    )
})
test('sort-newest: decisions 7: sort=newest orders by time', async () => {
  const { reader } = await corpus()
  const times = listOf(await search({ q: word, sort: 'newest' }, { key: reader.key })).map((item) =>
    Date.parse(item.published_at),
  )
  equal(times.join(), times.toSorted((a, b) => b - a).join(), 'published_at, newest first')
})
test('paging: decisions 7: limit and cursor page through the finds; every page counts as one search', async () => {
  const { ids, reader } = await corpus()
  const seen = []
  let cursor: Json
  const before = remainingOf(await search(word, { key: reader.key }))
  let pages = 0
  let last: Json
  do {
    last = await search({ q: word, limit: '2', cursor }, { key: reader.key })
    seen.push(...found(last))
    cursor = nextOf(last.json)
    pages++
  } while (cursor && pages < 5)
  equal(seen.toSorted().join(), ids.toSorted().join(), 'finds over all pages')
  equal(remainingOf(last), before - pages, `r after ${pages} pages`)
})
for (const [id, query] of [
  ['missing', {}],
  ['empty', { q: '' }],
  ['201', { q: 'a'.repeat(201) }],
  ['limit-0', { q: 'tram', limit: '0' }],
  ['limit-51', { q: 'tram', limit: '51' }],
  ['limit-word', { q: 'tram', limit: 'many' }],
  ['kind', { q: 'tram', kind: 'poem' }],
  ['sort', { q: 'tram', sort: 'oldest' }],
  ['state', { q: 'tram', state: 'nowhere' }],
  ['cursor', { q: 'tram', cursor: 'not-a-cursor' }],
  ['since', { q: 'tram', since: 'yesterday' }],
])
  test(`bad-${id}: decisions 7: an invalid query is refused (400 invalid_query) before it is counted (${id})`, async () => {
    const { key } = await counting()
    notNearMidnight(30)
    const before = remainingOf(await search('tram', { key }))
    isProblem(await search(query, { key }), 400, 'invalid_query')
    equal(remainingOf(await search('tram', { key })), before - 1, 'r after the refused query and one good one')
  })
test('q-200: decisions 7: q has up to 200 characters', async () => {
  const { reader } = await corpus()
  hasStatus(await search(`${'tramway '.repeat(24)}tramways`, { key: reader.key }), 200)
})
test('hostile-q: decisions 7: whatever stands in q is a query, never an error of the service', async () => {
  const reader = await patient()
  for (const q of [
    "'",
    '"',
    '"unclosed phrase',
    '-',
    '--',
    'or',
    'or or',
    '-"',
    "a' or 1=1 --",
    '((',
    '& | !',
    ':*',
    '\\',
    '%',
    'a:b',
    '<->',
    '\u{1F333}',
    'и',
    '中文',
  ]) {
    const reply = await search(q, { key: reader.key })
    oneOf(reply.status, [200, 400], `status for q=${q}`)
  }
})
test('only-published: spec Endpoints: only published posts are found', async () => {
  const low = await lowQuality()
  const review = await inReview()
  const abuse = await abusive()
  const gone = await deletedPost()
  const { reader } = await corpus()
  for (const post of [low, review, abuse, gone]) {
    const own = wordOf(post.body.text)
    equal(found(await search(own, { key: reader.key })).length, 0)
  }
})
test('fresh: spec States: a published post can be found', async () => {
  const post = await published.event()
  const reader = await patient()
  await eventually(
    async () =>
      includes(found(await search(post.body.title.split(' ').at(-1), { key: reader.key })), post.id, 'search'),
    30,
  )
})
test('ended-event: decisions 5: ended events leave search', async () => {
  const post = await ended()
  const reader = await patient()
  excludes(found(await search(post.body.title.split(' ').at(-1), { key: reader.key })), post.id, 'search')
})
test('wrong-key: decisions 10: a key that is sent but wrong is always 401 (GET /v1/search, POST /v1/reports)', async () => {
  isProblem(await search('tram', { key: `bsk_${'A'.repeat(49)}` }), 401, 'invalid_api_key')
  isProblem(
    await at('message').post(
      '/v1/reports',
      { post_id: 'post_01hzzzzzzzzzzzzzzzzzzzzzzz', category: 'other' },
      { key: `bsk_${'A'.repeat(49)}` },
    ),
    401,
    'invalid_api_key',
  )
})
test('not-cached: standards 3: search is not cached, so that its RateLimit is true', async () => {
  const { reader } = await corpus()
  match((await search('tram', { key: reader.key })).headers['cache-control'], /no-store|private/)
})

// With a key --------------------------------------------------------------------------------------
test('keyed-headers: spec Limits: RateLimit-Policy "search-free";q=100;w=86400 and RateLimit "search-free";r=…;t=… until 00:00 UTC', async () => {
  notNearMidnight(30)
  const account = await freshAccount()
  const first = await search('tram', { key: account.key })
  hasStatus(first, 200)
  isRateLimited(first, { allowance: 100, remaining: 99 })
  match(first.headers['ratelimit-policy'], /^"search-free";q=100;w=86400$/)
  match(first.headers.ratelimit, /^"search-free";r=99;t=\d+$/)
  equal(first.json.metering.free_remaining, 99)
  for (const legacy of ['x-ratelimit-limit', 'ratelimit-limit', 'ratelimit-remaining'])
    holds(!(legacy in first.headers), legacy, 'absent', first.headers[legacy])
})
test('keyed-across-sites: spec Limits: counted across all four sites (the MCP tool too: see the mcp section)', async () => {
  notNearMidnight(30)
  const account = await freshAccount()
  const seen = []
  for (const kind of kinds) seen.push(remainingOf(await search('tram', { kind, key: account.key })))
  equal(seen.join(), '99,98,97,96', 'r on the four sites')
})
const spent = fixture('an account that has used its 100 free searches', async () => {
  notNearMidnight(90)
  const account = await freshAccount({ micros: 2_500 })
  const statuses = []
  let last: Json
  for (let batch = 0; batch < 10; batch++) {
    const replies = await Promise.all(Array.from({ length: 10 }, () => search('tram', { key: account.key })))
    statuses.push(...replies.map(({ status }) => status))
    last = Math.min(...replies.map(remainingOf))
  }
  const balanceAfterFree = await account.balance()
  const replies = []
  for (let time = 0; time < 3; time++)
    replies.push({ reply: await search('tram', { key: account.key }), balance: await account.balance() })
  return { account, statuses, last, balanceAfterFree, replies }
})
test('keyed-100-free: spec Limits: 100 searches a day with a key are free', async () => {
  const { statuses, last, balanceAfterFree } = await spent()
  equal(statuses.filter((status) => status === 200).length, 100, 'searches answered 200')
  equal(last, 0, 'r after the hundredth')
  equal(balanceAfterFree, 2_500, 'balance_micros')
})
test('keyed-101-charged: spec Limits: after that 1,000 micro-dollars each from the balance', async () => {
  const { replies } = await spent()
  const [first, second] = replies
  hasStatus(first.reply, 200)
  equal(first.balance, 1_500, 'balance after the 101st')
  equal(first.reply.json.metering.charged_micros, 1_000)
  equal(first.reply.json.metering.free_remaining, 0)
  isRateLimited(first.reply, { allowance: 100, remaining: 0 })
  hasStatus(second.reply, 200)
  equal(second.balance, 500, 'balance after the 102nd')
})
test('keyed-402: spec Limits: with no balance, 402 with account_url', async () => {
  const { replies } = await spent()
  const problem = isProblem(replies[2].reply, 402, 'insufficient_balance')
  equal(problem.required_micros, 1_000)
  equal(problem.balance_micros, 500)
  equal(replies[2].balance, 500, 'balance after the refusal')
})
test('keyed-at-once: spec Limits: twenty searches at once are counted twenty times', async () => {
  notNearMidnight(30)
  const account = await freshAccount()
  const replies = await Promise.all(
    Array.from({ length: 20 }, () => search('tram', { key: account.key, paced: false })),
  )
  for (const reply of replies) hasStatus(reply, 200)
  equal(remainingOf(await search('tram', { key: account.key })), 79, 'r after 21 searches')
})

// Without a key: these consume the allowance of an address ---------------------------------------------
/** One address, and how many searches it has been answered. */
const keyless = fixture('an address and its keyless searches', async () => {
  notNearMidnight(120)
  const from = await freshAddress()
  const state: Json = {
    from,
    answered: 0,
    search: async (query: Json, options?: RequestOptions) => {
      const reply = await search(query, { from, ...options })
      if (reply.status === 200) state.answered++
      return reply
    },
  }
  state.first = await state.search('tram')
  // An address of our own choice is new; the one address of a machine is only if it says so.
  state.full = from !== undefined || (state.first.status === 200 && remainingOf(state.first) === 19)
  return state
})
function needsFull(state) {
  if (!state.full)
    skip(
      `the address ${state.from ?? 'of this machine'} has used some of its allowance today, so its counting cannot be followed`,
    )
}
test('keyless-headers: spec Limits: without a key RateLimit-Policy "search-free";q=20;w=86400', async () => {
  const state = await keyless()
  needsFull(state)
  isRateLimited(state.first, { allowance: 20, remaining: 19 })
  match(state.first.headers['ratelimit-policy'], /^"search-free";q=20;w=86400$/)
})
test('keyless-bad-query-uncounted: decisions 7: an invalid keyless query is refused before it is counted', async () => {
  const state = await keyless()
  needsFull(state)
  const before = remainingOf(await state.search('tram'))
  isProblem(await state.search({ q: '' }), 400, 'invalid_query')
  equal(remainingOf(await state.search('tram')), before - 1, 'r after the refused query and one good one')
})
test('keyless-across-sites: spec Limits: keyless searches are counted across all four sites', async () => {
  const state = await keyless()
  needsFull(state)
  const before = remainingOf(await state.search('tram'))
  equal(remainingOf(await state.search('tram', { kind: 'story' })), before - 1, 'r on the story site')
  equal(remainingOf(await state.search('tram', { kind: 'event' })), before - 2, 'r on the event site')
})
test('keyless-search-page: spec Limits: the search page shares the keyless allowance; /search without a query is no search', async () => {
  notNearMidnight(30)
  const from = await freshAddress()
  if (!from) skip('this machine has one address only')
  const before = remainingOf(await search('tram', { from }))
  const page = (path) => at('message').get(path, { from, headers: { accept: 'text/html' } })
  hasStatus(await page('/search'), 200)
  hasStatus(await page('/search?q=tram'), 200)
  equal(remainingOf(await search('tram', { from })), before - 2, 'r after one search on the page and one over the API')
})
test('keyless-forwarded-for: decisions 7: the address is the one the gateway saw: X-Forwarded-For does not make another', async () => {
  const state = await keyless()
  needsFull(state)
  const before = remainingOf(await state.search('tram'))
  const headers = {
    'x-forwarded-for': '203.0.113.77',
    'x-real-ip': '203.0.113.77',
    forwarded: 'for=203.0.113.77',
    'true-client-ip': '203.0.113.77',
    'cf-connecting-ip': '203.0.113.77',
  }
  equal(remainingOf(await state.search('tram', { headers })), before - 1, 'r with a made-up X-Forwarded-For')
})
const exhaustion = async () => {
  const state = await keyless()
  let reply: Json
  for (let time = 0; time < 25 && reply?.status !== 429; time++) reply = await state.search('tram')
  return { ...state, reply, total: state.answered }
}
// Made when the first check that needs it begins, not with the section: the checks above still count.
let exhaustedOnce: Json
const exhausted = () => (exhaustedOnce ??= exhaustion())
test('keyless-429: spec Errors: keyless search past 20 a day is 429 with Retry-After until 00:00 UTC (decisions 10: search_allowance_exhausted)', async () => {
  await keyless()
  const { from, reply } = await exhausted()
  isProblem(reply, 429, 'search_allowance_exhausted')
  const again = await search('tram', { from })
  hasStatus(again, 429)
  const left = secondsToMidnight(again.receivedAt)
  holds(
    Math.abs(retryAfterOf(again) - left) <= 3,
    'retry-after',
    `${left} (seconds until 00:00 UTC)`,
    again.headers['retry-after'],
  )
})
test('keyless-twenty-exactly: spec Limits: the allowance is 20, no more and no less', async () => {
  const state = await keyless()
  needsFull(state)
  equal((await exhausted()).total, 20, 'searches answered before the first refusal')
})
test('keyless-429-everywhere: spec Limits: past the allowance every site answers 429, and a made-up X-Forwarded-For does not help', async () => {
  await keyless()
  const { from } = await exhausted()
  for (const kind of kinds) hasStatus(await search('tram', { kind, from }), 429)
  hasStatus(await search('tram', { from, headers: { 'x-forwarded-for': '198.51.100.9' } }), 429)
})
test('keyless-429-not-with-key: spec Limits: a key has its own allowance, whatever its address has used', async () => {
  await keyless()
  const { from } = await exhausted()
  const account = await freshAccount()
  const reply = await search('tram', { from, key: account.key })
  hasStatus(reply, 200)
  equal(remainingOf(reply), 99, 'r')
})
test('keyless-429-reads-free: spec Limits: browsing stays free when the search allowance is used up', async () => {
  await keyless()
  const { from } = await exhausted()
  hasStatus(await at('message').get('/v1/posts', { from }), 200)
  hasStatus(await at('message').get('/index.json', { from }), 200)
})

// Reports -------------------------------------------------------------------------------------------
const report = (body, options) => at('message').post('/v1/reports', body, options)
const reporter = fixture('an address that reports', async () => {
  const post = await published.message()
  const from = await freshAddress()
  return {
    post,
    from,
    first: await report(
      { post_id: post.id, category: 'other', detail: 'A report of the conformance suite; please dismiss it.' },
      { from },
    ),
  }
})
test('report: decisions 8: POST /v1/reports without a key answers 202 {id, status: "received"}', async () => {
  const { first } = await reporter()
  if (first.status === 429) skip('the address has used its reports of today')
  const body = isOkJson(first, 202)
  match(body.id, idPattern('rep'))
  equal(body.status, 'received')
})
test('report-by-url: decisions 8: a report names post_id or url', async () => {
  const { post, from } = await reporter()
  const reply = await report({ url: post.record.url, category: 'other' }, { from })
  if (reply.status === 429) skip('the address has used its reports of today')
  equal(isOkJson(reply, 202).status, 'received')
})
test('report-category-of-policy: decisions 8: category is a category of the policy or "other"', async () => {
  const { post, from } = await reporter()
  const { abusive: category } = await policyCategories()
  const reply = await report({ post_id: post.id, category, contact_email: 'reporter@example.com' }, { from })
  if (reply.status === 429) skip('the address has used its reports of today')
  hasStatus(reply, 202)
})
for (const [id, pointer, make] of [
  ['no-post', ['', '/post_id', '/url'], () => ({ category: 'other' })],
  ['category-unknown', '/category', (post) => ({ post_id: post.id, category: 'boring' })],
  ['category-missing', '/category', (post) => ({ post_id: post.id })],
  ['detail-2001', '/detail', (post) => ({ post_id: post.id, category: 'other', detail: 'd'.repeat(2001) })],
  ['contact-email', '/contact_email', (post) => ({ post_id: post.id, category: 'other', contact_email: 'nobody' })],
  ['unknown-member', '/colour', (post) => ({ post_id: post.id, category: 'other', colour: 'red' })],
] as Json[][])
  test(`report-${id}: decisions 8: an invalid report is 422 (${id})`, async () => {
    const { post, from } = await reporter()
    const reply = await report(make(post), { from })
    if (reply.status === 429) skip('the address has used its reports of today')
    isInvalid(reply, pointer)
  })
test('report-refused-uncounted: decisions 14: reports that are refused do not count toward the 20', async () => {
  const { post } = await reporter()
  const from = await freshAddress()
  if (!from) skip('this machine has one address only')
  for (let time = 0; time < 21; time++)
    isProblem(await report({ post_id: post.id, category: 'boring' }, { from }), 422, 'validation_failed')
  hasStatus(
    await report(
      { post_id: post.id, category: 'other', detail: 'A report of the conformance suite; please dismiss it.' },
      { from },
    ),
    202,
  )
})
test('report-keeps-the-post: spec Endpoints: every report is reviewed by a person: a report alone removes nothing', async () => {
  const { post } = await reporter()
  equal((await publicPost('message', post.id)).id, post.id, 'id of the reported post')
})
test('report-limit: spec Limits: more than 20 reports a day from one address are 429 rate_limited with no RateLimit and no Retry-After, on every site', async () => {
  const { post } = await reporter()
  notNearMidnight(60)
  const from = await freshAddress()
  const body = { post_id: post.id, category: 'other', detail: 'A report of the conformance suite; please dismiss it.' }
  let accepted = 0
  let refused: Json
  for (let time = 0; time < 22 && !refused; time++) {
    const reply = await at(kinds[time % 4]).post('/v1/reports', body, { from })
    if (reply.status === 429) refused = reply
    else {
      hasStatus(reply, 202)
      accepted++
    }
  }
  if (!refused) holds(false, 'the 21st report', '429', 'no refusal in 22')
  if (from) equal(accepted, 20, 'reports accepted from a fresh address')
  isProblem(refused, 429, 'rate_limited')
  for (const name of ['ratelimit', 'ratelimit-policy', 'retry-after'])
    holds(!(name in refused.headers), `${name} of the refusal`, 'absent', refused.headers[name])
  hasStatus(await at('event').post('/v1/reports', body, { from }), 429)
  const account = await rich()
  hasStatus(await at('message').post('/v1/reports', body, { from, key: account.key }), 429)
})
