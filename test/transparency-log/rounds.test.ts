import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { cp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
import type { PageStore } from '../../src/platform/page-store/site-store.ts'
import { appendEntries } from '../../src/transparency-log/append-entries.ts'
import { readCheckpoint } from '../../src/transparency-log/checkpoints.ts'
import { keyOfLog, type TransparencyLog } from '../../src/transparency-log/log.ts'
import { proofFile } from '../../src/transparency-log/proof-file.ts'
import { publishFiles } from '../../src/transparency-log/publish-files.ts'
import { readLogEntries } from '../../src/transparency-log/read-tiles.ts'
import { reconcileFiles } from '../../src/transparency-log/reconcile-files.ts'
import { advanceLog } from '../../src/transparency-log/start-log.ts'
import { times } from '../../tooling/test-length.ts'
import { faultsOf, headOf, keepState, queueEntries, startTestLog, type TestLog } from '../support/transparency-log.ts'

const advanceAll = async (log: TransparencyLog) => {
  while (await advanceLog(log));
}
const published = async ({ log }: TestLog) => {
  const note = (await log.store.read('checkpoint'))?.toString() ?? ''
  const checkpoint = readCheckpoint(note, keyOfLog(log))
  assert(checkpoint, 'a valid checkpoint is published')
  return checkpoint
}

test('entries are appended once, in full tiles and parts, and the parts of a full tile go', async () => {
  await using test = await startTestLog()
  const { log } = test
  for (const count of [3, 200, 53, 1, 300]) {
    await queueEntries(log.db, count)
    await advanceAll(log)
  }
  assert.equal((await published(test)).size, 557)
  assert.deepEqual(await faultsOf(test), [])
  const exists = (path: string) => log.store.has(path)
  assert.deepEqual(
    await Promise.all(
      ['tile/0/000', 'tile/0/001', 'tile/0/002.p/45', 'tile/1/000.p/2', 'tile/entries/001'].map(exists),
    ),
    [true, true, true, true, true],
  )
  assert.deepEqual(await Promise.all(['tile/0/000.p/3', 'tile/entries/000.p/203', 'tile/0/001.p/1'].map(exists)), [
    false,
    false,
    false,
  ])
})

/** Fails at a random file, before or after it was written. */
function failing(store: PageStore): PageStore {
  return {
    ...store,
    apply: async (files, fence) => {
      if (randomInt(4) === 0) throw new Error('the process was killed here')
      const written = await store.apply(files, fence)
      if (randomInt(4) === 0) throw new Error('the process was killed here')
      return written
    },
  }
}

test('two writers that fail at random points leave no fork, no gap and nothing twice', async () => {
  await using test = await startTestLog()
  const [one, other] = [test.open(), test.open()].map((log) => ({ ...log, store: failing(log.store) }))
  assert(one && other)
  const rounds = times({ whole: 400, short: 30 })
  let queued = 0
  const seen = new Map<number, string>()
  for (let round = 0; round < rounds; round += 1) {
    const count = randomInt(1, 60)
    await queueEntries(test.log.db, count)
    queued += count
    await Promise.allSettled([advanceLog(one), advanceLog(other)])
    const note = (await test.log.store.read('checkpoint'))?.toString()
    const checkpoint = note === undefined ? undefined : readCheckpoint(note, keyOfLog(test.log))
    if (checkpoint) seen.set(checkpoint.size, checkpoint.root.toString('hex'))
  }
  await advanceAll(test.log)
  assert.equal((await published(test)).size, queued)
  assert.deepEqual(await faultsOf(test), [])
  const { rows } = await sql<{ twice: number }>`
    select count(*)::int - count(distinct entry)::int as twice from log_entries`.execute(test.log.db)
  assert.equal(rows[0]?.twice, 0)
  // Every checkpoint that a reader saw is one of this log.
  for (const [size, root] of seen) {
    const row = await test.log.db
      .selectFrom('log_checkpoints')
      .select('note')
      .where('size', '=', size)
      .executeTakeFirst()
    assert.equal(row && readCheckpoint(row.note, keyOfLog(test.log))?.root.toString('hex'), root)
  }
  assert(seen.size > rounds / 10, 'the writers got through')
})

test('a removal names its entry, whether that was appended before or waits with it', async () => {
  await using test = await startTestLog()
  const { log } = test
  await queueEntries(log.db, 2)
  await advanceAll(log)
  await queueEntries(log.db, 1)
  await sql`insert into log_queue (type, removes_index) values ('removed', 1)`.execute(log.db)
  await sql`insert into log_queue (type, removes_queued) select 'removed', id from log_queue where type = 'post' order by id desc limit 1`.execute(
    log.db,
  )
  await sql`insert into log_queue (type, removes_queued) select 'removed', id from log_queue where type = 'post' order by id limit 1`.execute(
    log.db,
  )
  await advanceAll(log)
  const entries = await readLogEntries(log.db, 3, 6)
  assert.deepEqual(entries, [
    '{"i":1,"t":"removed","v":1}',
    '{"i":2,"t":"removed","v":1}',
    '{"i":0,"t":"removed","v":1}',
  ])
})

test('a database restored from a backup that is behind the published files stops the log, and signs no fork', async () => {
  await using test = await startTestLog()
  const { log } = test
  await queueEntries(log.db, 300)
  await advanceAll(log)
  const restore = await keepState(test)
  await queueEntries(log.db, 300)
  await advanceAll(log)
  const before = await log.store.read('checkpoint')
  await restore()
  await queueEntries(log.db, 7)
  await advanceAll(log)
  const { stoppedReason, size } = await headOf(log.db)
  assert.deepEqual({ stoppedReason, size }, { stoppedReason: 'database_behind', size: 300 })
  // An operator who lets it go on without the lost entries changes nothing.
  await sql`update log_head set stopped_reason = null, stopped_at = null, files_lost = true`.execute(log.db)
  await advanceAll(log)
  assert.equal((await headOf(log.db)).stoppedReason, 'database_behind')
  assert.deepEqual(await log.store.read('checkpoint'), before)
})

test('without its files the log stops, until the operator says that they are lost; they are then written again', async () => {
  await using test = await startTestLog()
  const { log, directory } = test
  await queueEntries(log.db, 300)
  await advanceAll(log)
  const paths = ['checkpoint', 'tile/0/000', 'tile/0/001.p/44', 'tile/1/000.p/1', 'tile/entries/000']
  const before = await Promise.all(paths.map((path) => log.store.read(path)))
  for (const name of ['checkpoint.gz', 'tile']) await rm(join(directory, name), { recursive: true })
  await queueEntries(log.db, 1)
  await advanceAll(log)
  const { stoppedReason, size } = await headOf(log.db)
  assert.deepEqual({ stoppedReason, size }, { stoppedReason: 'files_missing', size: 300 })
  await sql`update log_head set stopped_reason = null, stopped_at = null, files_lost = true`.execute(log.db)
  await sql`delete from log_queue where entry_index is null`.execute(log.db)
  await advanceAll(log)
  assert.equal((await headOf(log.db)).filesLost, false)
  assert.deepEqual(await Promise.all(paths.map((path) => log.store.read(path))), before)
  assert.deepEqual(await faultsOf(test), [])
})

test('a log whose published checkpoint has another root stops instead of forking', async () => {
  await using test = await startTestLog()
  const { log, directory } = test
  await queueEntries(log.db, 10)
  await advanceAll(log)
  const restore = await keepState(test)
  await cp(directory, `${directory}-kept`, { recursive: true })
  await queueEntries(log.db, 10)
  await advanceAll(log)
  // The database and the entries go back, and other entries take their places; the checkpoint stays.
  const checkpoint = await log.store.read('checkpoint')
  await restore()
  await rm(directory, { recursive: true })
  await cp(`${directory}-kept`, directory, { recursive: true })
  await rm(`${directory}-kept`, { recursive: true })
  await queueEntries(log.db, 10)
  await advanceAll(log)
  assert.equal((await published(test)).size, 20)
  await log.store.apply(new Map([['checkpoint', checkpoint ?? null]]))
  await queueEntries(log.db, 1)
  await advanceAll(log)
  assert.equal((await headOf(log.db)).stoppedReason, 'forked')
  assert.equal((await headOf(log.db)).size, 20)
  assert.match(test.lines.join(''), /the transparency log has stopped/)
})

test('tiles without a checkpoint are replaced, if the database lost their entries before anybody relied on them', async () => {
  await using test = await startTestLog()
  const { log } = test
  await queueEntries(log.db, 250)
  await advanceAll(log)
  const restore = await keepState(test)
  await queueEntries(log.db, 10)
  const crashing = { ...log, store: { ...log.store, apply: crashAtCheckpoint(log.store) } }
  await assert.rejects(advanceLog(crashing), /killed/)
  assert(await log.store.has('tile/0/000'), 'the tile is full')
  await restore()
  await queueEntries(log.db, 12)
  await advanceAll(log)
  assert.equal((await published(test)).size, 262)
  assert.deepEqual(await faultsOf(test), [])
})

const crashAtCheckpoint =
  (store: PageStore): PageStore['apply'] =>
  async (files, fence) => {
    if (files.has('checkpoint')) throw new Error('the process was killed here')
    return store.apply(files, fence)
  }

test('a database that went back between two steps neither signs nor publishes another tree', async () => {
  await using test = await startTestLog()
  const { log } = test
  await queueEntries(log.db, 10)
  await advanceAll(log)
  const restore = await keepState(test)
  await queueEntries(log.db, 3)
  const seen = await reconcileFiles(log)
  assert(seen)
  await appendEntries(log, seen)
  await publishFiles(log)
  const latest = await reconcileFiles(log)
  assert(latest?.size === 13)
  await restore()
  await queueEntries(log.db, 5)
  await appendEntries(log, latest)
  assert.equal((await headOf(log.db)).size, 10, 'nothing is appended to a tree that lacks what is published')
  await appendEntries(log, seen)
  await assert.rejects(publishFiles(log), /published with other bytes/)
  assert.equal((await published(test)).size, 13)
})

test('proofs are against published checkpoints only', async () => {
  await using test = await startTestLog()
  const { log } = test
  await queueEntries(log.db, 2)
  const seen = await reconcileFiles(log)
  assert(seen)
  await appendEntries(log, seen)
  await queueEntries(log.db, 2)
  await advanceAll(log)
  const proof = await proofFile(log.db, { index: 0, salt: Buffer.alloc(32) })
  assert.match(String(proof), /\nposts\.example\/log\n4\n/)
})

test('the entry of the audit log can be opened with its salt, and a changed audit log is noticed', async () => {
  await using test = await startTestLog()
  const { log, database } = test
  await asAdministrator(database.adminUrl, (admin) =>
    admin.query("insert into audit_log (at, actor, action, details) values (now(), 'operator', 'test', '{}')"),
  )
  await advanceAll(log)
  assert.deepEqual(await faultsOf(test), [])
  const [entry] = await readLogEntries(log.db, 0, 1)
  assert.match(String(entry), /^\{"c":"[\w-]{43}","t":"audit","v":1\}$/)
  await asAdministrator(database.adminUrl, (admin) => admin.query("update audit_chain set hash = sha256('other')"))
  assert.deepEqual(await faultsOf(test), [
    'The head of the audit log at position 1 is not what the transparency log has.',
  ])
})
