import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { inTransaction } from '../../src/platform/database/database.ts'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
import { deleteLoggedQueue } from '../../src/transparency-log/append-entries.ts'
import { readCheckpoint } from '../../src/transparency-log/checkpoints.ts'
import { enqueueNextProofs } from '../../src/transparency-log/enqueue-proofs.ts'
import { keyOfLog, type TransparencyLog } from '../../src/transparency-log/log.ts'
import { publishingLock } from '../../src/transparency-log/publish-files.ts'
import { readLogEntries } from '../../src/transparency-log/read-tiles.ts'
import { advanceLog, hasWork } from '../../src/transparency-log/start-log.ts'
import { faultsOf, headOf, queueEntries, startTestLog, type TestLog } from '../support/transparency-log.ts'

const advanceAll = async (log: TransparencyLog) => {
  while (await advanceLog(log));
}
const publishedSize = async ({ log }: TestLog) =>
  readCheckpoint(String(await log.store.read('checkpoint')), keyOfLog(log))?.size

test('an older checkpoint that a paused worker puts back is replaced in the next round', async () => {
  await using own = await startTestLog()
  const { log } = own
  await queueEntries(log.db, 10)
  await advanceAll(log)
  const older = await log.store.read('checkpoint')
  await queueEntries(log.db, 300)
  await advanceAll(log)
  await log.store.apply(new Map([['checkpoint', older ?? null]]))
  assert.equal(await publishedSize(own), 10)
  await advanceLog(log)
  assert.equal(await publishedSize(own), 310)
  assert.deepEqual([(await headOf(log.db)).stoppedReason, await faultsOf(own)], [null, []])
})

test('files that are lost after the operator resumed for other lost files stop the log again', async () => {
  await using own = await startTestLog()
  const { log, directory } = own
  await queueEntries(log.db, 3)
  await advanceAll(log)
  // The operator says that the files are lost, and somebody has put them back meanwhile.
  await sql`update log_head set files_lost = true`.execute(log.db)
  await advanceLog(log)
  assert.equal((await headOf(log.db)).filesLost, false)
  for (const name of ['checkpoint.gz', 'tile']) await rm(join(directory, name), { recursive: true })
  await advanceLog(log)
  assert.equal((await headOf(log.db)).stoppedReason, 'files_missing')
})

test('while another process writes the files, a round ends without an error, and the next one goes on', async () => {
  await using own = await startTestLog()
  const { log } = own
  await queueEntries(log.db, 3)
  await inTransaction(own.open().db, async (tx) => {
    await sql`select pg_advisory_xact_lock(${publishingLock})`.execute(tx)
    assert.equal(await advanceLog(log), false)
  })
  assert.equal((await headOf(log.db)).size, 0)
  await advanceLog(log)
  assert.equal(await publishedSize(own), 3)
})

test('a new row of the audit log is work once a minute', async () => {
  await using own = await startTestLog()
  const { log } = own
  const audit = () =>
    asAdministrator(own.database.adminUrl, (admin) =>
      admin.query("insert into audit_log (at, actor, action, details) values (now(), 'operator', 'test', '{}')"),
    )
  await audit()
  assert.equal(await hasWork(log), true)
  await advanceAll(log)
  await audit()
  assert.equal(await hasWork(log), false)
  const later = { ...log, clock: { ...log.clock, now: () => new Date(log.clock.now().getTime() + 61_000) } }
  assert.equal(await hasWork(later), true)
  await advanceAll(later)
  assert.equal((await headOf(log.db)).publishedSize, 2)
})

/** Makes posts of the entries, without what the log does not read of them. */
const ownEntries = (own: TestLog) =>
  asAdministrator(own.database.adminUrl, async (admin) => {
    await admin.query('set session_replication_role = replica')
    await admin.query(`insert into signing_keys values (repeat('k', 43), sha256(''), now()) on conflict do nothing`)
    await admin.query(`insert into post_proofs (post_id, key_id, signed_at, signature, salt, queue_id, entry_index)
      select 'post_' || lpad(id::text, 26, '0'), repeat('k', 43), now(), sha256('') || sha256(''), sha256(''), id, entry_index
      from log_queue on conflict do nothing`)
  })

test('after an outage, the proofs of all posts are enqueued in batches, also after a crash', async () => {
  await using own = await startTestLog()
  const enqueued: string[][] = []
  const enqueueProofs = async (_: unknown, ids: readonly string[]) => {
    if (enqueued.length === 1) {
      enqueued.push([])
      throw new Error('the process was killed here')
    }
    enqueued.push([...ids])
  }
  const log = { ...own.log, enqueueProofs }
  await queueEntries(log.db, 2_500)
  await advanceAll(log)
  await ownEntries(own)
  await sql`update log_head set proofs_through = 0`.execute(log.db)
  assert.equal(await enqueueNextProofs(log), true)
  await assert.rejects(enqueueNextProofs(log), /killed/)
  while (await enqueueNextProofs(log));
  const all = enqueued.flat()
  assert.deepEqual([all.length, new Set(all).size], [2_500, 2_500])
  assert.ok(enqueued.every((batch) => batch.length <= 1_000))
  assert.equal(await enqueueNextProofs(log), false)
  assert.equal(enqueued.flat().length, 2_500)
})

test('a removal is logged even if its entry was taken up more than a day before', async () => {
  await using own = await startTestLog()
  const { log } = own
  await queueEntries(log.db, 2)
  await advanceAll(log)
  await sql`insert into log_queue (type, removes_queued)
    select 'removed', id from log_queue where type = 'post' order by id desc limit 1`.execute(log.db)
  const later = new Date(log.clock.now().getTime() + 2 * 86_400_000)
  await deleteLoggedQueue(log.db, later)
  await advanceAll(log)
  assert.deepEqual(await readLogEntries(log.db, 2, 3), ['{"i":1,"t":"removed","v":1}'])
  assert.ok((await deleteLoggedQueue(log.db, later)) >= 2)
})

test('a damaged checkpoint stops the log, until the operator says that the file is lost; it is then written again', async () => {
  await using own = await startTestLog()
  const { log } = own
  await queueEntries(log.db, 3)
  await advanceAll(log)
  const before = await log.store.read('checkpoint')
  await log.store.apply(new Map([['checkpoint', 'not a checkpoint\n']]))
  await advanceAll(log)
  assert.equal((await headOf(log.db)).stoppedReason, 'unreadable')
  await sql`update log_head set stopped_reason = null, stopped_at = null, files_lost = true`.execute(log.db)
  await advanceAll(log)
  assert.deepEqual(await log.store.read('checkpoint'), before)
  assert.deepEqual(await faultsOf(own), [])
})

test('log verify reads every tile and bundle, also the partial ones', async () => {
  await using own = await startTestLog()
  const { log } = own
  await queueEntries(log.db, 600)
  await advanceAll(log)
  assert.deepEqual(await faultsOf(own), [])
  const paths = ['tile/0/001', 'tile/0/002.p/88', 'tile/1/000.p/2', 'tile/entries/000', 'tile/entries/002.p/88']
  for (const path of paths) {
    const right = await log.store.read(path)
    assert(right, path)
    const wrong = Buffer.from(right)
    wrong.writeUInt8((wrong.readUInt8(40) + 1) % 256, 40)
    for (const content of [wrong, right.subarray(0, -1), null]) {
      await log.store.apply(new Map([[path, content]]))
      assert.deepEqual(await faultsOf(own), [`${path} is missing or differs.`])
    }
    await log.store.apply(new Map([[path, right]]))
  }
  assert.deepEqual(await faultsOf(own), [])
})
