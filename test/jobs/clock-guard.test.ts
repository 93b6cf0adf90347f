import assert from 'node:assert/strict'
import { test } from 'node:test'
import { guardSweeps } from '../../src/jobs/clock-guard.ts'
import type { Handlers } from '../../src/jobs/run-jobs.ts'
import { offsetClock } from '../../src/platform/clock.ts'
import { createLogger } from '../../src/platform/observability/logger.ts'
import { openJobFixture } from '../support/jobs/job-fixture.ts'

test('scheduled jobs are skipped while the clocks of process and database differ by more than a minute', async () => {
  await using fixture = await openJobFixture()
  const lines: string[] = []
  const logger = createLogger('info', 'test', { write: (line: string) => void lines.push(line) })
  const ran: string[] = []
  const plain: Handlers = {
    'expire-posts': async () => void ran.push('expire-posts'),
    'publish-post': async () => void ran.push('publish-post'),
  }
  const runAll = async (aheadMs: number) => {
    ran.length = 0
    const clock = offsetClock()
    clock.setOffset(aheadMs)
    const handlers = guardSweeps(plain, { db: fixture.db, logger, clock })
    const run = { signal: new AbortController().signal, attempt: 1 }
    await handlers['expire-posts']?.({}, run)
    await handlers['publish-post']?.({ post_id: 'post_1' }, run)
    return [...ran]
  }
  // A busy machine may measure seconds. Half an hour is beyond that.
  const halfAnHour = 1_800_000
  assert.deepEqual(await runAll(0), ['expire-posts', 'publish-post'])
  assert.deepEqual(lines, [])
  for (const difference of [halfAnHour, -halfAnHour]) assert.deepEqual(await runAll(difference), ['publish-post'])
  assert.equal(lines.length, 2)
  assert.match(String(lines[0]), /"job":"expire-posts".*"difference_seconds":1[78]\d\d.*clocks disagree/)
  assert.deepEqual(await runAll(0), ['expire-posts', 'publish-post'])
})
