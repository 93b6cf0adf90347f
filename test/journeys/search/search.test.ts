import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { sitesFromSettings } from '../../../src/bin/sites.ts'
import { expirePosts } from '../../../src/posts/expiry.ts'
import { branchesOf, writeBranch } from '../../../src/search/branches.ts'
import { planOf } from '../../../src/search/find-posts.ts'
import { queryFault, readQuery } from '../../../src/search/read-query.ts'
import { reindex } from '../../../src/search/reindex.ts'
import { type Plan, searchStatement } from '../../../src/search/search-statement.ts'
import { wordStatistics } from '../../../src/search/word-statistics.ts'
import { languageOf, searchVector } from '../../../src/text-analysis/search-vector.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'
import { seedListedPost } from '../../support/posts/create-post.ts'

let service: Service
let accountId: string
before(async () => {
  service = await startService({ judges: true })
  accountId = (await service.createAccount()).id
})
after(() => service[Symbol.asyncDispose]())

const day = 86_400_000
let elapsed = 0
const daysAgo = (days: number) => new Date(service.clock.now().getTime() - days * day)
const clear = () => service.asOwner('truncate posts, search_entries cascade')
const put = (kind: string, body: object, days = 1) =>
  seedListedPost(service, { kind, body, publishedAt: daysAgo(days), accountId })
const message = (text: string, more: object = {}, days = 1) => put('message', { text, ...more }, days)

type Found = { id: string; kind: string; url: string; content: Record<string, string>; highlights: object[] }
type Results = { data: Found[]; next_cursor: string | null }

async function ask(query: Record<string, string | number>, site = 'message') {
  const url = new URL(`${service.baseUrls[site]}/v1/search`)
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value))
  const response = await fetch(url)
  return { status: response.status, body: await response.json() }
}

async function search(query: Record<string, string | number>, site?: string): Promise<Results> {
  const { status, body } = await ask(query, site)
  assert.equal(status, 200, JSON.stringify(body))
  return body as Results
}

const idsOf = async (query: Record<string, string | number>) => (await search(query)).data.map(({ id }) => id)

test('words are found in any form and without accents, phrases exactly, and excluded words are left out', async () => {
  await clear()
  const ferries = await message('The ferries to the island run again, and the café on the quay is open.')
  const bus = await message('The night bus to the airport leaves from the square every half an hour.')
  const other = await message('A bus at night may be late when the roads are full of snow and ice.')
  for (const q of ['ferry', 'FERRIES', 'cafe', 'café quay', 'the ferry', '"the island"', 'islands running'])
    assert.deepEqual(await idsOf({ q }), [ferries], q)
  assert.deepEqual(await idsOf({ q: '"night bus"' }), [bus])
  assert.deepEqual(new Set(await idsOf({ q: 'night bus' })), new Set([bus, other]))
  assert.deepEqual(await idsOf({ q: 'bus -airport' }), [other])
  assert.deepEqual(await idsOf({ q: 'bus -"at night"' }), [bus])
  assert.deepEqual(new Set(await idsOf({ q: 'ferry or snow' })), new Set([ferries, other]))
  for (const q of ['ferrous', 'bus ferry', '"bus night"', 'fer']) assert.deepEqual(await idsOf({ q }), [], q)
})

test('each language has its own word forms; in an unknown language, a word is found as written', async () => {
  await clear()
  const german = await message('Zwei Fahrräder stehen seit gestern vor dem Haus, und niemand holt sie ab.')
  const russian = await message('Эти книги лежат в библиотеке, и их можно взять на неделю.')
  const unknown = await message('Fahrrad Kiosk Hamburg')
  const japanese = await message('今日の東京は晴れのち曇り、最高気温は二十度です。')
  assert.deepEqual(new Set(await idsOf({ q: 'Fahrrad' })), new Set([german, unknown]))
  assert.deepEqual(await idsOf({ q: 'fahrräder' }), [german])
  assert.deepEqual(await idsOf({ q: 'книга' }), [russian])
  assert.deepEqual(await idsOf({ q: '東京' }), [japanese])
  assert.deepEqual(await idsOf({ q: '京東' }), [])
})

test('a word in another script than its post’s language is found, and an excluded function word excludes', async () => {
  await clear()
  const russian = await message('Новый iPhone лежит на столе, и он уже не мой.')
  const english = await message('The trains from Москва to 東京 are late, and the buses are not.')
  assert.deepEqual(await idsOf({ q: 'iphone' }), [russian])
  for (const q of ['東京', 'москва', 'train 東京']) assert.deepEqual(await idsOf({ q }), [english], q)
  assert.deepEqual(await idsOf({ q: 'train -the' }), [])
  assert.deepEqual(await idsOf({ q: 'train -train' }), [])
})

test('PostgreSQL can parse the result for every post and query', async () => {
  const odd = ['❤️ ⚠️', 'Ferry ❤️ Lisboa', '\u0301', 'ﷺ'.repeat(64), `a${'𐌰'.repeat(80)}`, "it's \\ 'x' :* & | !", '⑴ ͺ']
  const readable = async (text: string) => {
    const language = languageOf([text])
    await service.asOwner('select $1::tsvector', [searchVector([{ text, weight: 'A' }], language).words])
    const query = readQuery(text, { isTyped: true })
    for (const branch of queryFault(query) ? [] : branchesOf(query))
      if (branch.alternatives.length > 0) await service.asOwner('select $1::tsquery', [writeBranch(branch)])
  }
  for (const text of odd) await readable(text)
  await fc.assert(fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), readable), { numRuns: 300 })
  for (const q of ['❤️', 'ferry -❤️', 'ferry ❤️', `a${'𐌰'.repeat(40)}`, 'ﷺ'.repeat(64)])
    assert.ok([200, 400].includes((await ask({ q })).status), q)
})

test('highlights are offsets in code points, even after characters of two code units', async () => {
  await clear()
  await message('🚢 The ferries of 🇵🇹 Lisbon are late, so take no ferry today.')
  const [found] = (await search({ q: 'ferry' })).data
  const points = [...(found?.content['text'] ?? '')]
  const pieces = found?.highlights as { field: string; start: number; end: number }[]
  assert.deepEqual(
    pieces.map(({ field, start, end }) => [field, points.slice(start, end).join('')]),
    [
      ['text', 'ferries'],
      ['text', 'ferry'],
    ],
  )
})

test('all four kinds are searched from every site, and filtered by kind, topic, place and time', async () => {
  await clear()
  const lisbon = { country: 'PT', state: 'PT-11', city: { geonames_id: 2267057, name: 'Lisbon' } }
  const found = {
    message: await message('Tide tables for the estuary', { topics: ['tides'], location: lisbon }, 3),
    event: await put('event', {
      title: 'Tide watching by the lighthouse',
      body: 'Bring boots and a lamp; we watch the water go out and come back.',
      timezone: 'Europe/Lisbon',
      starts_at: '2030-06-15T18:00:00+01:00',
      ends_at: '2030-06-15T22:00:00+01:00',
      location: { country: 'PT' },
    }),
    classified: await put('classified', {
      title: 'Tide clock, brass',
      body: 'It goes, and it is right twice a day more than others.',
      category: 'for-sale',
      location: { country: 'ES' },
    }),
  }
  for (const site of ['message', 'story', 'classified', 'event']) {
    const { data } = await search({ q: 'tide' }, site)
    assert.deepEqual(new Set(data.map(({ id }) => id)), new Set(Object.values(found)))
    for (const { kind, url } of data) assert.ok(url.startsWith(`${service.baseUrls[kind]}/p/`))
  }
  assert.deepEqual(await idsOf({ q: 'tide', kind: 'event' }), [found.event])
  assert.deepEqual(await idsOf({ q: 'tide', topic: 'tides' }), [found.message])
  assert.deepEqual(await idsOf({ q: 'tide', country: 'ES' }), [found.classified])
  assert.deepEqual(await idsOf({ q: 'tide', state: 'PT-11' }), [found.message])
  assert.deepEqual(await idsOf({ q: 'tide', city: 2267057 }), [found.message])
  assert.deepEqual(await idsOf({ q: 'tide lisbon' }), [found.message], 'a place is a word too')
  assert.deepEqual(await idsOf({ q: 'tide', until: daysAgo(2).toISOString() }), [found.message])
  assert.equal((await idsOf({ q: 'tide', since: daysAgo(2).toISOString() })).length, 2)
  assert.equal((await idsOf({ q: 'tide', since: '0000-01-01T00:00:00Z', until: '9999-12-31T23:59:59Z' })).length, 3)
})

test('by relevance a title match comes before a text match, and newer before older; by time the newest comes first', async () => {
  await clear()
  const story = (title: string, text: string) => ({ title, body: text, category: 'other' })
  const inText = await put('classified', story('Old sea charts', 'Some of them show a lighthouse on the cape.'), 1)
  const inTitle = await put('classified', story('Lighthouse for rent', 'On the cape, with a garden and a stair.'), 5)
  const older = await message('A lighthouse stands on the northern cape of the island', {}, 300)
  const fresher = await message('A lighthouse stands on the southern cape of the island', {}, 2)
  const ranked = await idsOf({ q: 'lighthouse' })
  assert.equal(ranked[0], inTitle)
  assert.ok(ranked.indexOf(fresher) < ranked.indexOf(older))
  assert.deepEqual(await idsOf({ q: 'lighthouse', sort: 'newest' }), [inText, fresher, inTitle, older])
})

test('an impossible search is refused, and a cursor must belong to the same order', async () => {
  for (const query of [
    {},
    { q: '' },
    { q: '!!!' },
    { q: '-cat' },
    { q: 'a'.repeat(201) },
    { q: 'word '.repeat(33) },
    { q: 'cat', kind: 'letter' },
    { q: 'cat', sort: 'oldest' },
    { q: 'cat', limit: 51 },
    { q: 'cat', limit: 0 },
    { q: 'cat', country: 'Portugal' },
    { q: 'cat', since: 'yesterday' },
    { q: 'cat', cursor: 'nonsense' },
    { q: 'cat', cursor: 'r.bm9uc2Vuc2U' },
    { q: 'cat', colour: 'red' },
  ])
    assert.deepEqual([(await ask(query)).status], [400], JSON.stringify(query))
  await clear()
  for (let index = 0; index < 3; index++) await message(`Cat number ${index} sleeps on the ${index} th stair`)
  const { next_cursor } = await search({ q: 'cat', limit: 1 })
  assert.equal((await ask({ q: 'cat', sort: 'newest', cursor: String(next_cursor) })).status, 400)
})

test('pages have no gap and no repeat in both orders, while new posts appear', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 9 }),
      fc.integer({ min: 1, max: 4 }),
      fc.constantFrom('relevance', 'newest'),
      async (count, limit, sort) => {
        await clear()
        const old: string[] = []
        for (let index = 0; index < count; index++)
          old.push(await message(`${'whale '.repeat((index % 3) + 1)} ${index}`, {}, 2 + (index % 4)))
        const seen: string[] = []
        let cursor: string | null = null
        do {
          const page: Results = await search({ q: 'whale', sort, limit, ...(cursor && { cursor }) })
          seen.push(...page.data.map(({ id }) => id))
          cursor = page.next_cursor
          elapsed += 1_000
          service.clock.setOffset(elapsed)
          await message('A new whale', {}, 0)
        } while (cursor)
        const olds = seen.filter((id) => old.includes(id))
        assert.equal(new Set(seen).size, seen.length)
        assert.deepEqual(new Set(olds), new Set(old))
      },
    ),
    { numRuns: 12 },
  )
})

test('both query plans for the newest matches find the same posts', async () => {
  await clear()
  for (let index = 0; index < 40; index++)
    await message(
      `The ${index % 3 ? 'gull' : 'tern'} came ${'back '.repeat(1 + (index % 4))}at ${index} o’clock`,
      {},
      index,
    )
  const at = service.clock.now()
  const cursors = await Promise.all(
    (['relevance', 'newest'] as const).map(async (sort) => [
      sort,
      (await search({ q: 'gull', sort, limit: 5 })).next_cursor,
    ]),
  )
  for (const [sort, cursor] of cursors as ['relevance' | 'newest', string][])
    for (const more of [
      {},
      { cursor },
      { since: daysAgo(20).toISOString() },
      { kind: 'message', until: daysAgo(9).toISOString() },
    ])
      for (const q of ['gull', 'gull or tern', 'came -tern', '"came back"']) {
        const query = readQuery(q, { isTyped: false })
        const plan = planOf(query, { sort, limit: 7, ...more }, at, await wordStatistics(service.db)) as Plan
        const ways = (['index', 'newest'] as const).map((way) => searchStatement({ ...plan, way }).execute(service.db))
        const [byIndex, byTime] = (await Promise.all(ways)).map(({ rows }) => rows.map(({ id, score }) => [id, score]))
        assert.ok(byIndex && byIndex.length > 0)
        assert.deepEqual(byIndex, byTime)
      }
})

test('Invariant: search finds exactly the listed posts, from the transaction that changes them', async () => {
  await clear()
  const { api_key } = await service.createCustomer()
  const mine = service.client(api_key)
  const submitted = await mine.submitPost({ text: 'The harbour seal came back to the old pier this morning.' })
  const { id } = submitted.body as { id: string }
  await service.settle()
  assert.deepEqual(await idsOf({ q: 'harbour seal' }), [id])
  await mine.editPost(id, { text: 'The grey heron came back to the old pier this evening.' })
  assert.deepEqual(await idsOf({ q: 'harbour seal' }), [id], 'until the edit is accepted')
  await service.settle()
  assert.deepEqual([await idsOf({ q: 'seal' }), await idsOf({ q: 'heron' })], [[], [id]])
  await mine.deletePost(id)
  assert.deepEqual(await idsOf({ q: 'heron' }), [])

  const ad = await put('classified', { title: 'Brass sextant', body: 'In its box, with papers.', category: 'for-sale' })
  assert.deepEqual(await idsOf({ q: 'sextant' }), [ad])
  service.clock.setOffset(elapsed + 31 * day)
  assert.deepEqual(await idsOf({ q: 'sextant' }), [], 'from the second on that it expires')
  await expirePosts(service.workerDb, service.clock.now())
  assert.deepEqual(await service.asOwner('select post_id from search_entries'), [])
})

test('reindex writes missing or wrong entries, and removes those that do not belong', async () => {
  await clear()
  const ids = [await message('A compass that points south'), await message('The barometer falls before the storm')]
  await service.asOwner("update search_entries set words = '' where post_id = $1", [ids[0]])
  await service.asOwner('delete from search_entries where post_id = $1', [ids[1]])
  await service.asOwner(
    "insert into search_entries values ('post_00000000000000000000000000', now(), null, '{}', null, '''ghost'':1', '{}')",
  )
  assert.equal(await reindex(service.workerDb, sitesFromSettings(service.baseUrls)), 2)
  assert.deepEqual(await idsOf({ q: 'compass' }), [ids[0]])
  assert.deepEqual(await idsOf({ q: 'barometer' }), [ids[1]])
  assert.equal((await service.asOwner('select post_id from search_entries')).length, 2)
})
