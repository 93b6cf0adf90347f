import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kinds } from '../../../src/kinds/index.ts'
import { verifyLedger } from '../../../src/ledger/verify.ts'
import { connect } from '../../../src/platform/database/database.ts'
import { migratedDatabase } from '../../../tooling/services/databases.ts'
import { makeBatch } from './batch.ts'
import { readPlaces } from './places.ts'
import { HasPosts, seedDatabase } from './seed-database.ts'
import { makeVocabulary } from './vocabulary.ts'

const now = new Date('2026-11-15T12:00:00Z')
const material = { vocabulary: makeVocabulary(), places: readPlaces() }

test('every run makes the same posts', () => {
  const plan = { posts: 200, now }
  assert.deepEqual(makeBatch(plan, 0, material), makeBatch(plan, 0, material))
})

test('seeded posts have the rows that the service writes for a post, and the ledger agrees with the balances', async () => {
  await using database = await migratedDatabase('seed')
  await using owner = connect(database.urls.migrator, { poolMax: 1, applicationName: 'test' })
  await seedDatabase({ urls: database.urls, posts: 500, now })
  const without = async (table: string, column = 'post_id') => {
    const { rows } = await owner.pool.query(
      `select count(*)::int from posts where not exists (select from ${table} where ${column} = posts.id)`,
    )
    return rows[0].count
  }
  for (const table of ['search_entries', 'publications', 'shelf_entries', 'moderation_decisions', 'events'])
    assert.equal(await without(table), 0, table)
  assert.equal(await without('ledger_transfers', 'subject'), 0)
  const { difference_count, sum_micros, transfers } = await verifyLedger(owner.db, () => {})
  assert.deepEqual(
    { difference_count, sum_micros, transfers },
    { difference_count: 0, sum_micros: '0', transfers: 1_500 },
  )
  const { rows: wrong } = await owner.pool.query(
    `select from shelves where (listed, last_number) <> (
       select count(*), max(number) from shelf_entries e where e.kind = shelves.kind and e.path = shelves.path)
     union all
     select from event_positions where last <> (select count(*) from events e where e.account_id = event_positions.account_id)`,
  )
  assert.equal(wrong.length, 0)
})

test('a seeded database has valid posts of every kind in chronological order, and its constraints are restored', async () => {
  await using database = await migratedDatabase('seed')
  await using owner = connect(database.urls.migrator, { poolMax: 1, applicationName: 'test' })
  const read = async (statement: string) => (await owner.pool.query(statement)).rows
  const shape = `select indexrelid::regclass::text as name, indisvalid as state from pg_index
    where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
    union all select tgrelid::regclass || ' ' || tgname, tgenabled = 'O' from pg_trigger where not tgisinternal order by name`
  const before = await read(shape)
  await seedDatabase({ urls: database.urls, posts: 500, now })
  const posts = await read('select kind, content, published_at, visible_until from posts where listed order by id')
  assert.equal(posts.length, 500)
  assert.deepEqual([...new Set(posts.map(({ kind }) => kind))].sort(), kinds.map(({ name }) => name).sort())
  for (const { kind: name, content, published_at, visible_until } of posts) {
    const kind = kinds.find((one) => one.name === name)
    assert.deepEqual(kind?.body.parse(content), content)
    assert.ok(published_at < now && (visible_until === null || visible_until > now))
  }
  const times = posts.map(({ published_at }) => published_at.getTime())
  assert.deepEqual(
    times,
    times.toSorted((one, other) => one - other),
  )
  const [found] = await read('select count(*)::int from search_entries join posts on id = post_id')
  assert.equal(found.count, 500)
  assert.deepEqual(await read(shape), before)
  await assert.rejects(seedDatabase({ urls: database.urls, posts: 500, now }), HasPosts)
})
