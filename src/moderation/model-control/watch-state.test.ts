import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelState } from '../../../generated/database-types.ts'
import { openPostsFixture } from '../../../test/support/posts/queued-posts.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { asAdministrator } from '../../platform/database/database-setup.ts'
import { createLogger } from '../../platform/observability/logger.ts'
import { watchModelState } from './watch-state.ts'

const logger = createLogger('silent', 'test')

test('a watch reports the first state and each change, once', async () => {
  await using stage = await openPostsFixture()
  const seen: ModelState[] = []
  await using watch = watchModelState({
    db: stage.db,
    logger,
    onChange: (state) => void seen.push(state),
    intervalMs: 5,
  })
  assert.equal(watch.state(), null)
  for (const state of ['idle', 'starting', 'running', 'idle'] as const) {
    await stage.query('update model_status set state = $1', [state])
    await waitFor(async () => watch.state() === state, `the state ${state}`)
  }
  assert.deepEqual(seen, ['idle', 'starting', 'running', 'idle'])
})

test('a change that could not be applied is reported again, and a lost connection does not end the watch', async () => {
  await using stage = await openPostsFixture()
  const told: ModelState[] = []
  await using watch = watchModelState({
    db: stage.db,
    logger,
    onChange: async (state) => {
      told.push(state)
      if (told.length < 3) throw new Error('not now')
    },
    intervalMs: 5,
  })
  await waitFor(async () => watch.state() === 'idle', 'the third time')
  assert.deepEqual(told, ['idle', 'idle', 'idle'])
  const cut = `select pg_terminate_backend(pid) from pg_stat_activity
    where application_name = 'test worker' and datname = current_database()`
  await asAdministrator(stage.database.adminUrl, (admin) => admin.query(cut))
  await stage.query("update model_status set state = 'running'")
  await waitFor(async () => watch.state() === 'running', 'the state after the break')
})
