import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { appendEntries, deleteLoggedQueue } from '../../src/transparency-log/append-entries.ts'
import type { TransparencyLog } from '../../src/transparency-log/log.ts'
import { readLogEntries } from '../../src/transparency-log/read-tiles.ts'
import { reconcileFiles } from '../../src/transparency-log/reconcile-files.ts'
import { advanceLog } from '../../src/transparency-log/start-log.ts'
import { rootOfEmptyTree } from '../../src/transparency-log/tree/hashes.ts'
import { tilePath } from '../../src/transparency-log/tree/tiles.ts'
import { faultsOf, headOf, keepState, queueEntries, startTestLog } from '../support/transparency-log.ts'

const advanceAll = async (log: TransparencyLog) => {
  while (await advanceLog(log));
}

const removeLastPost = ({ db }: TransparencyLog) =>
  sql`insert into log_queue (type, removes_queued)
    select 'removed', id from log_queue where type = 'post' order by id desc limit 1`.execute(db)

const removalsIn = async (log: TransparencyLog, from: number) => {
  const { size } = await headOf(log.db)
  return (await readLogEntries(log.db, from, size)).filter((entry) => entry.includes('removed'))
}

test('a removal is logged even if its entry was taken up more than a day before', async () => {
  await using own = await startTestLog()
  const { log } = own
  await queueEntries(log.db, 2)
  await advanceAll(log)
  await removeLastPost(log)
  await deleteLoggedQueue(log.db, new Date(log.clock.now().getTime() + 2 * 86_400_000))
  await advanceAll(log)
  assert.deepEqual(await removalsIn(log, 2), ['{"i":1,"t":"removed","v":1}'])
  assert.ok((await deleteLoggedQueue(log.db, new Date(log.clock.now().getTime() + 2 * 86_400_000))) >= 2)
})

test('a post and its removal that wait in a backup, and are both published, are logged once', async () => {
  await using own = await startTestLog()
  const { log } = own
  await queueEntries(log.db, 3)
  await advanceAll(log)
  await queueEntries(log.db, 1)
  await removeLastPost(log)
  const restore = await keepState(own)
  await advanceAll(log)
  assert.equal((await headOf(log.db)).size, 5)
  await restore()
  await advanceAll(log)
  await advanceAll(log)
  assert.deepEqual([(await headOf(log.db)).size, await removalsIn(log, 0)], [5, ['{"i":3,"t":"removed","v":1}']])
})

test('a removal that was published is not logged again if the database has lost the post and the removal', async () => {
  await using own = await startTestLog()
  const { log } = own
  await queueEntries(log.db, 3)
  await advanceAll(log)
  const restore = await keepState(own)
  await queueEntries(log.db, 1)
  await removeLastPost(log)
  await advanceAll(log)
  await restore()
  await advanceAll(log)
  await advanceAll(log)
  assert.deepEqual([(await headOf(log.db)).size, await removalsIn(log, 0)], [5, ['{"i":3,"t":"removed","v":1}']])
})

/** A database that has 300 of 9,000 published entries. */
async function startBehind() {
  const own = await startTestLog()
  const { log } = own
  await queueEntries(log.db, 300)
  await advanceAll(log)
  const restore = await keepState(own)
  for (let count = 0; count < 3; count += 1) await queueEntries(log.db, 2_900)
  await advanceAll(log)
  assert.equal((await headOf(log.db)).publishedSize, 9_000)
  await restore()
  return own
}

test('entries are read back in batches: a process that dies between two leaves the rest to the next one', async () => {
  await using own = await startBehind()
  const { log } = own
  // Each bundle is read twice: all are verified first. The process dies in the second batch that it inserts.
  let reads = 0
  const read = async (path: string) => {
    reads += path.startsWith('tile/entries/') ? 1 : 0
    if (reads > 36 + 20) throw new Error('the process was killed here')
    return log.store.read(path)
  }
  await assert.rejects(reconcileFiles({ ...log, store: { ...log.store, read } }), /killed/)
  const { size, publishedSize } = await headOf(log.db)
  assert.deepEqual({ size, publishedSize }, { size: 256 + 16 * 256, publishedSize: 300 })
  // Until all entries are there, nothing is appended, whatever another process saw before.
  await queueEntries(log.db, 1)
  assert.equal(await appendEntries(log, { size: 0, root: rootOfEmptyTree }), false)
  assert.equal((await headOf(log.db)).size, size)
  await advanceAll(log)
  await advanceAll(log)
  assert.deepEqual(await faultsOf(own), [])
  assert.equal((await headOf(log.db)).publishedSize, 9_000 + 8_700 + 1)
  assert.equal(new Set(await readLogEntries(log.db, 0, 17_701)).size, 17_701)
})

test('no entry is read back if the last bundle is damaged', async () => {
  await using own = await startBehind()
  const { log } = own
  const path = tilePath({ level: 'entries', index: 35, width: 40 })
  const bundle = await log.store.read(path)
  assert(bundle)
  bundle.write('x', 20)
  await log.store.apply(new Map([[path, bundle]]))
  await advanceAll(log)
  const { size, stoppedReason } = await headOf(log.db)
  assert.deepEqual({ size, stoppedReason }, { size: 300, stoppedReason: 'forked' })
})

test('two processes that find the database behind read each entry back once', async () => {
  await using own = await startBehind()
  const [one, other] = [own.open(), own.open()]
  await Promise.all([advanceLog(one), advanceLog(other)])
  await advanceAll(own.log)
  await advanceAll(own.log)
  assert.deepEqual(await faultsOf(own), [])
  assert.equal((await headOf(own.log.db)).publishedSize, 9_000 + 8_700)
})
