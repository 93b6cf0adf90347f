import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { migratedDatabase } from '../../../tooling/services/databases.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import type { Database } from '../../platform/database/database.ts'
import { asAdministrator } from '../../platform/database/database-setup.ts'
import { createLogger } from '../../platform/observability/logger.ts'
import { pause } from '../../platform/repeat.ts'
import { runAsLeader } from './leader-election.ts'

const logger = createLogger('silent', 'test')

/** A candidate that reports every few milliseconds while it is the leader. */
function candidate(databaseUrl: string, retryMs?: number) {
  const stop = new AbortController()
  const terms: { heldSince: number; db: Database }[] = []
  let isServing = false
  const serve = async (db: Database) => {
    isServing = true
    terms.push({ heldSince: performance.now(), db })
    try {
      while (!stop.signal.aborted) {
        await db.selectFrom('model_status').select('state').execute()
        await pause(10, stop.signal)
      }
    } finally {
      isServing = false
    }
  }
  let rivals = 0
  const onFollower = async () => {
    rivals += 1
  }
  const seeking = runAsLeader({ databaseUrl, signal: stop.signal, serve, onFollower, logger, retryMs })
  return {
    isServing: () => isServing,
    terms,
    rivals: () => rivals,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await seeking
    },
  }
}

test('one of many candidates leads, and when it leaves another one takes over', async () => {
  await using database = await migratedDatabase('election')
  await using stack = new AsyncDisposableStack()
  const candidates = Array.from({ length: 5 }, () => stack.use(candidate(database.urls.worker, 20)))
  const serving = () => candidates.filter((one) => one.isServing())
  for (let left = candidates.length; left > 0; left -= 1) {
    await waitFor(async () => serving().length > 0, 'an election')
    assert.equal(serving().length, 1)
    await serving()[0]?.[Symbol.asyncDispose]()
  }
  assert.deepEqual(
    candidates.map(({ terms }) => terms.length),
    [1, 1, 1, 1, 1],
  )
})

test('a leader that loses its connection stops leading, can write nothing, and campaigns again', async () => {
  await using database = await migratedDatabase('election')
  await using one = candidate(database.urls.worker, 20)
  await waitFor(async () => one.isServing(), 'the election')
  const cut = `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
    and database = (select oid from pg_database where datname = current_database())`
  await asAdministrator(database.adminUrl, (admin) => admin.query(cut))
  await waitFor(async () => one.terms.length === 2, 'another term')
  await assert.rejects(async () => {
    await one.terms[0]?.db.updateTable('model_status').set({ state: 'running' }).execute()
  })
})

test('the leadership of a killed process passes to another, which tries once a second', async () => {
  await using database = await migratedDatabase('election')
  const folder = await mkdtemp(join(tmpdir(), 'broadside-election-'))
  await using stack = new AsyncDisposableStack()
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const program = `
    import { runAsLeader } from ${JSON.stringify(new URL('./leader-election.ts', import.meta.url).href)}
    await runAsLeader({
      databaseUrl: ${JSON.stringify(database.urls.worker)},
      signal: new AbortController().signal,
      serve: () => new Promise(() => console.log('elected')),
      onFollower: async () => {},
      logger: { warn() {} },
    })`
  await writeFile(join(folder, 'candidate.ts'), program)
  const first = spawn(process.execPath, [join(folder, 'candidate.ts')], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(first.stdout, 'data')
  const second = stack.use(candidate(database.urls.worker))
  await waitFor(async () => second.rivals() > 0, 'the second to stand')
  first.kill('SIGKILL')
  const refusedBefore = second.rivals()
  await waitFor(async () => second.isServing(), 'the second to be elected')
  const refused = second.rivals() - refusedBefore
  assert.ok(refused <= 5, `it was refused ${refused} times after the kill`)
})
