import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { connect } from '../../src/platform/database/database.ts'
import {
  cancelDivision,
  type DivideOptions,
  divideSearchEntries,
  readDivision,
} from '../../src/search/partitions/divide.ts'
import { addSearchMonths, countMonthsAhead, monthStart } from '../../src/search/partitions/months.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { seedListedPost } from '../support/posts/create-post.ts'

let service: Service
let accountId: string
let owner: pg.Client
before(async () => {
  service = await startService()
  accountId = (await service.createAccount()).id
  owner = new pg.Client({ connectionString: service.database.urls.migrator })
  await owner.connect()
})
after(async () => {
  await owner.end()
  await service[Symbol.asyncDispose]()
})

const day = 86_400_000
const put = (text: string, days: number) =>
  seedListedPost(service, {
    ...{ kind: 'message', body: { text }, accountId },
    publishedAt: new Date(service.clock.now().getTime() - days * day),
  })

type Query = Record<string, string | number>

/** The ids of all pages. */
async function findAll(query: Query): Promise<string[]> {
  const found: string[] = []
  for (let cursor: string | null = ''; cursor !== null; ) {
    const url = new URL(`${service.baseUrl}/v1/search`)
    for (const [name, value] of Object.entries({ ...query, ...(cursor && { cursor }) }))
      url.searchParams.set(name, String(value))
    const response = await fetch(url)
    const body = (await response.json()) as { data: { id: string }[]; next_cursor: string | null }
    assert.equal(response.status, 200, JSON.stringify(body))
    found.push(...body.data.map(({ id }) => id))
    cursor = body.next_cursor
  }
  return found
}

const divide = (options: Partial<DivideOptions> = {}) =>
  divideSearchEntries(owner, { at: service.clock.now(), batchSize: 7, ...options })

const stateOf = async () => (await readDivision(owner)).state

const entries = () =>
  owner
    .query('select post_id, published_at, facets, words::text from searchable_posts order by post_id')
    .then(({ rows }) => rows)

const withdraw = (id: string | undefined) =>
  service.asOwner("update posts set status = 'removed', listed = false where id = $1", [id])

test('entries are divided by month while posts come and go, after an interruption, and searches find the same', async () => {
  const words = ['harbour', 'harbour ferry', 'ferry lantern', 'lantern']
  const ids: string[] = []
  for (let index = 0; index < 60; index++)
    ids.push(await put(`Notes about ${words[index % 4]} number ${index}`, 1 + index * 4))
  await service.asOwner('analyze search_entries')
  const queries: Query[] = ['harbour', 'ferry', 'harbour ferry', '"ferry lantern"', 'harbour -ferry', 'number'].flatMap(
    (q) => [
      { q, sort: 'newest', limit: 3 },
      { q, sort: 'relevance', limit: 5 },
    ],
  )
  let batches = 0
  const interrupted = divide({
    afterBatch: async () => {
      batches++
      if (batches === 2) await withdraw(ids[1])
      if (batches === 3) await withdraw(ids[55])
      if (batches === 4) ids.push(await put('A late harbour arrives', 100))
      if (batches === 5) throw new Error('interrupted')
    },
  })
  await assert.rejects(interrupted, /interrupted/)
  assert.equal(await stateOf(), 'dividing')
  // Between the two runs, searches find everything, and changes reach both copies.
  await withdraw(ids[2])
  ids.push(await put('A ferry from between', 3))
  await service.asOwner("update search_entries set words = words || '''extra'':99' where post_id = $1", [ids[5]])
  const before = await entries()
  assert.equal(before.length, 59)
  const found = await Promise.all(queries.map(findAll))
  await divide({ beforeSwap: async () => void (await withdraw(ids[59])) })
  assert.equal(await stateOf(), 'by month')
  assert.deepEqual(
    await entries(),
    before.filter(({ post_id }) => post_id !== ids[59]),
  )
  const { rows } = await owner.query('select from search_entries')
  assert.equal(rows.length, 0)
  await service.asOwner('analyze')
  for (const [index, query] of queries.entries())
    assert.deepEqual(
      await findAll(query),
      found[index]?.filter((id) => id !== ids[59]),
      JSON.stringify(query),
    )
  assert.equal(await divide(), 0)
})

test('posts are published and withdrawn in the partition of their month', async () => {
  const id = await put('A quiet lighthouse', 40)
  const { rows } = await owner.query(
    'select tableoid::regclass::text as name from searchable_posts where post_id = $1',
    [id],
  )
  const month = new Date(service.clock.now().getTime() - 40 * day).toISOString().slice(0, 7).replace('-', '_')
  assert.deepEqual(rows, [{ name: `searchable_posts_${month}` }])
  assert.deepEqual(await findAll({ q: 'lighthouse' }), [id])
  await withdraw(id)
  assert.deepEqual(await findAll({ q: 'lighthouse' }), [])
})

test('the worker adds the coming months a year ahead, once each', async () => {
  await using worker = connect(service.database.urls.worker, { poolMax: 1, applicationName: 'test' })
  const at = service.clock.now()
  assert.equal(await countMonthsAhead(worker.db, at), 12)
  assert.equal(await addSearchMonths(worker.db, at), 0)
  const later = monthStart(at, 10)
  assert.equal(await countMonthsAhead(worker.db, later), 2)
  assert.equal(await addSearchMonths(worker.db, later), 10)
  assert.equal(await countMonthsAhead(worker.db, later), 12)
  const { rows } = await owner.query(
    `select relname from pg_class where relname like 'searchable_posts_%' and relkind = 'r' and not exists (
       select from pg_index where indrelid = pg_class.oid having count(*) = 3)`,
  )
  assert.deepEqual(rows, [], 'each month has the three indexes')
})

test('an unfinished division can be cancelled', async () => {
  await using other = await startService()
  await seedListedPost(other, {
    ...{ kind: 'message', body: { text: 'A lonely word' }, publishedAt: other.clock.now() },
    accountId: (await other.createAccount()).id,
  })
  const client = new pg.Client({ connectionString: other.database.urls.migrator })
  await client.connect()
  try {
    const stop = async () => Promise.reject(new Error('stop'))
    await assert.rejects(divideSearchEntries(client, { at: other.clock.now(), beforeSwap: stop }), /stop/)
    await cancelDivision(client)
    assert.equal((await readDivision(client)).state, 'whole')
    const { rows } = await client.query('select from searchable_posts')
    assert.equal(rows.length, 1)
  } finally {
    await client.end()
  }
})
