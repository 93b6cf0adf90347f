import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openPostsFixture, type PostsFixture } from '../../../test/support/posts/queued-posts.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { connect, type Database } from '../../platform/database/database.ts'
import { newId } from '../../platform/identifiers.ts'
import { readModel, readModelStatus, statusReader } from './model-status.ts'

let stage: PostsFixture
before(async () => {
  stage = await openPostsFixture()
})
after(() => stage[Symbol.asyncDispose]())
beforeEach(async () => {
  await stage.query('truncate posts, pgboss.job_common cascade')
})

test('only waiting posts and edits are counted', async () => {
  const [published = '', decided = ''] = await stage.queuePosts(5)
  await stage.decidePosts([decided])
  await stage.query("update posts set status = 'published', published_at = '2026-11-15' where id = $1", [published])
  await stage.query(
    `insert into post_edits (post_id, number, status, content, facets, submitted_at)
     values ($1, 1, 'queued', '{}', '{}', '2026-11-15')`,
    [published],
  )
  const { queue, waiting } = await readModel(stage.db)
  assert.deepEqual({ queue, waiting }, { queue: { posts: 3, edits: 1 }, waiting: 4 })
})

test('a post that is not screened yet does not wait for the model', async () => {
  await stage.queuePosts(1)
  await stage.query("update pgboss.job_common set name = 'screen-post'")
  const { queue, waiting } = await readModel(stage.db)
  assert.deepEqual({ queue, waiting }, { queue: { posts: 1, edits: 0 }, waiting: 0 })
})

test('work is counted by lane and account', async () => {
  const [one, two] = [newId('acct', new Date()), newId('acct', new Date())]
  await stage.queuePosts(3, one)
  await stage.queuePosts(1, two)
  const [story = ''] = await stage.queuePosts(1, two)
  await stage.query(
    "update pgboss.job_common set name = 'moderate-long-post', group_tier = '48', state = 'active' where data ->> 'post_id' = $1",
    [story],
  )
  const { short, long } = (await readModel(stage.db)).lanes
  assert.deepEqual(
    { ...short, windows: Object.fromEntries(short.windows) },
    { jobs: 4, ready: 4, windows: { [one]: 12, [two]: 4 } },
  )
  assert.deepEqual(
    { ...long, windows: Object.fromEntries(long.windows) },
    { jobs: 1, ready: 0, windows: { [two]: 48 } },
  )
})

test('a queue is counted up to 10,000 and no further', async () => {
  await stage.queuePosts(9_999)
  assert.equal((await readModel(stage.db)).waiting, 9_999)
  await stage.queuePosts(20)
  assert.equal((await readModel(stage.db)).waiting, 10_000)
})

test('counting reads the index on queued posts and not the posts', async () => {
  // PostgreSQL scans a small table when it has counted its rows, which can happen at any moment.
  const results = await stage.query(
    `begin; set local enable_seqscan = off;
     explain (format json, costs off) select count(*) from (select from posts where status = 'queued' limit 10000) as c;
     rollback`,
  )
  assert.match(JSON.stringify(results), /posts_queued/)
})

test('the API role can also read the model status', async () => {
  await using api = connect(stage.database.urls.api, { poolMax: 1, applicationName: 'test api' })
  assert.equal((await readModelStatus(api.db)).state, 'idle')
})

/** The same database, with its queries counted. */
function counting(db: Database) {
  let count = 0
  const counted = db.withPlugin({
    transformQuery: ({ node }) => {
      count += 1
      return node
    },
    transformResult: async ({ result }) => result,
  })
  return { db: counted, count: () => count }
}

test('any number of concurrent reads share the same two queries', async () => {
  const { db, count } = counting(stage.db)
  const reader = statusReader({ db, maxAgeMs: 60_000 })
  await Promise.all(Array.from({ length: 1_000 }, () => reader.read()))
  await reader.read()
  assert.equal(count(), 2)
})

test('an old reading is discarded', async () => {
  const { db, count } = counting(stage.db)
  const reader = statusReader({ db, maxAgeMs: 1 })
  assert.equal((await reader.read()).waiting, 0)
  await stage.queuePosts(1)
  await waitFor(async () => (await reader.read()).waiting === 1, 'the reader to look again')
  assert.ok(count() > 1)
})

test('posts of one account that share a reading queue behind one another', async () => {
  await stage.queuePosts(3)
  const reader = statusReader({ db: stage.db, maxAgeMs: 60_000 })
  const join = (accountId: string) => reader.join({ lane: 'short', accountId, windows: 5 })
  const places = await Promise.all(['one', 'one', 'two', 'one', 'two'].map(join))
  assert.deepEqual(
    places.map(({ joined }) => joined),
    [0, 5, 0, 10, 5],
  )
  assert.equal((await reader.read()).waiting, 3, 'who only looks is not counted')
})

test('a failed reading is not reused', async () => {
  let isAway = true
  const db = stage.db.withPlugin({
    transformQuery: ({ node }) => {
      if (isAway) throw new Error('away')
      return node
    },
    transformResult: async ({ result }) => result,
  })
  const reader = statusReader({ db, maxAgeMs: 60_000 })
  await assert.rejects(reader.read(), /away/)
  isAway = false
  assert.equal((await reader.read()).waiting, 0)
})
