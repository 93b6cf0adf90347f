import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kinds } from '../../../src/kinds/index.ts'
import { connect } from '../../../src/platform/database/database.ts'
import { migratedDatabase } from '../../../tooling/services/databases.ts'
import { makeBatch } from './batch.ts'
import { readPlaces } from './places.ts'
import { HasPosts, seedDatabase } from './seed-database.ts'
import { makeVocabulary } from './vocabulary.ts'

const now = new Date('2026-11-15T12:00:00Z')
const material = { vocabulary: makeVocabulary(1), places: readPlaces() }

test('the same seed gives the same posts, and another seed gives different ones', () => {
  const plan = { posts: 200, seed: 1, now }
  const batch = makeBatch(plan, 0, material)
  assert.deepEqual(makeBatch(plan, 0, material), batch)
  assert.notDeepEqual(makeBatch({ ...plan, seed: 2 }, 0, material), batch)
})

test('a seeded database has valid posts of every kind in chronological order, and its constraints are restored', async () => {
  await using database = await migratedDatabase('seed')
  await using owner = connect(database.urls.migrator, { poolMax: 1, applicationName: 'test' })
  const read = async (statement: string) => (await owner.pool.query(statement)).rows
  const shape = `select indexrelid::regclass::text as name, indisvalid as state from pg_index
    where indrelid in ('posts'::regclass, 'search_entries'::regclass)
    union all select tgname, tgenabled = 'O' from pg_trigger where tgrelid = 'posts'::regclass order by name`
  const before = await read(shape)
  await seedDatabase({ urls: database.urls, posts: 500, seed: 1, now, threads: 1 })
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
  await assert.rejects(seedDatabase({ urls: database.urls, posts: 500, seed: 1, now, threads: 1 }), HasPosts)
})
