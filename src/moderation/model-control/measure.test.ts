import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { openPostsFixture, type PostsFixture } from '../../../test/support/posts/queued-posts.ts'
import { connect } from '../../platform/database/database.ts'
import {
  averageRate,
  averageStart,
  countModelDecisions,
  lastDecisionId,
  noTime,
  recordDecisionSeconds,
  reportModelError,
  tellsSpeed,
} from './measure.ts'
import { readModelStatus } from './model-status.ts'

let stage: PostsFixture
before(async () => {
  stage = await openPostsFixture()
})
after(() => stage[Symbol.asyncDispose]())
beforeEach(async () => {
  await stage.query('update model_status set faults = 0, decision_seconds = null, long_decision_seconds = null')
})

/** Another process. */
const newProcess = () => connect(stage.database.urls.worker, { poolMax: 2, applicationName: 'test worker' })

test('the first duration is stored as measured, and later ones change the average a little', async () => {
  await using one = newProcess()
  await recordDecisionSeconds(one.db, 'short', 2)
  assert.equal((await readModelStatus(stage.db)).decisionSeconds.short, 2)
  await using other = newProcess()
  await recordDecisionSeconds(other.db, 'short', 12)
  assert.equal((await readModelStatus(stage.db)).decisionSeconds.short, 5)
})

test('short and long posts are measured separately', async () => {
  await using one = newProcess()
  await recordDecisionSeconds(one.db, 'short', 1)
  await recordDecisionSeconds(one.db, 'long', 9)
  assert.deepEqual((await readModelStatus(stage.db)).decisionSeconds, { short: 1, long: 9 })
})

test('a process reports at most one response a second', async () => {
  await using one = newProcess()
  await recordDecisionSeconds(one.db, 'short', 2)
  await Promise.all(Array.from({ length: 100 }, () => recordDecisionSeconds(one.db, 'short', 50)))
  assert.equal((await readModelStatus(stage.db)).decisionSeconds.short, 2)
})

test('all failed calls are counted, and a response resets the count', async () => {
  await using one = newProcess()
  await Promise.all(Array.from({ length: 100 }, () => reportModelError(one.db)))
  await reportModelError(one.db)
  assert.equal((await readModelStatus(stage.db)).faults, 101)
  await recordDecisionSeconds(one.db, 'short', 1)
  assert.equal((await readModelStatus(stage.db)).faults, 0)
})

test('a failed report has no effect on the caller', async () => {
  const one = newProcess()
  await one[Symbol.asyncDispose]()
  await recordDecisionSeconds(one.db, 'short', 1)
  await reportModelError(one.db)
})

test('the model’s decisions are counted by id, and people’s decisions are not', async () => {
  const [first = '', ...others] = await stage.queuePosts(5)
  await stage.decidePosts([first])
  const lastId = await lastDecisionId(stage.db)
  assert.deepEqual(await countModelDecisions(stage.db, lastId), { made: 0, windows: { short: 0, long: 0 }, lastId })
  await stage.decidePosts(others)
  await stage.query(
    `insert into moderation_decisions (post_id, edit, outcome, automated, actor, policy_version, decided_at) values
       ($1, 0, 'remove', false, 'operator:x', '1', '2026-11-15'), ($1, 1, 'review', true, 'system:x', '1', '2026-11-15')`,
    [others[0]],
  )
  const counted = await countModelDecisions(stage.db, lastId)
  assert.equal(counted.made, 4)
  assert.deepEqual(counted.windows, { short: 16, long: 0 })
  assert.equal((await countModelDecisions(stage.db, counted.lastId)).made, 0)
})

test('the speed follows the throughput within seconds, and a burst does not distort it', () => {
  assert.equal(averageRate(null, { windows: 0, seconds: 1 }), null)
  assert.equal(averageRate(null, { windows: 10, seconds: 2 }), 5)
  assert.equal(averageRate(7, noTime), 7)
  const afterBurst = averageRate(10, { windows: 100, seconds: 1 }) ?? 0
  assert.ok(afterBurst > 10 && afterBurst < 30, `${afterBurst}`)
  const after = (seconds: number, from: number, to: number) => {
    let rate: number | null = from
    for (let second = 0; second < seconds; second += 1) rate = averageRate(rate, { windows: to, seconds: 1 })
    return Number(rate)
  }
  assert.ok(after(20, 50, 10) < 14)
  assert.ok(after(20, 10, 50) > 46)
})

test('a slow model is measured over several seconds, and a fast one after enough windows', () => {
  assert.equal(tellsSpeed({ seconds: 1, windows: 4 }), false)
  assert.equal(tellsSpeed({ seconds: 5, windows: 4 }), true)
  assert.equal(tellsSpeed({ seconds: 2, windows: 50 }), true)
})

test('the expected start time follows the latest starts', () => {
  assert.equal(averageStart(null, 30), 30)
  assert.equal(averageStart(30, 60), 45)
})
