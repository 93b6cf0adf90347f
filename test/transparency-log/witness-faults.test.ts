import assert from 'node:assert/strict'
import { cp, rm } from 'node:fs/promises'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { PageStore } from '../../src/platform/page-store/site-store.ts'
import { appendEntries } from '../../src/transparency-log/append-entries.ts'
import { readCheckpoint } from '../../src/transparency-log/checkpoints.ts'
import { keyOfLog, type TransparencyLog, type Witness } from '../../src/transparency-log/log.ts'
import { parseVerifierKey } from '../../src/transparency-log/notes.ts'
import { reconcileFiles } from '../../src/transparency-log/reconcile-files.ts'
import { advanceLog } from '../../src/transparency-log/start-log.ts'
import { askWitnesses } from '../../src/transparency-log/witnesses.ts'
import { startWitness } from '../../tooling/transparency/start-witness.ts'
import { headOf, keepState, queueEntries, startTestLog, type TestLog } from '../support/transparency-log.ts'

/** A log with one witness, which has cosigned the first 100 entries. */
async function startWitnessedLog() {
  const stack = new AsyncDisposableStack()
  const own = stack.use(await startTestLog())
  const server = stack.use(await startWitness({ logKeyOf: () => own.log.signer.verifierKey }))
  const witness = { key: parseVerifierKey(server.verifierKey), verifierKey: server.verifierKey, url: server.url }
  await own.log.db
    .insertInto('log_witnesses')
    .values({ name: witness.key.name, verifier_key: witness.verifierKey, url: witness.url })
    .execute()
  const log = own.open([witness])
  await queueEntries(log.db, 100)
  await advanceLog(log)
  assert.deepEqual([await publishedSize(own), server.size()], [100, 100])
  return { own, log, server, witness, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const publishedSize = async ({ log }: TestLog) =>
  readCheckpoint(String(await log.store.read('checkpoint')), keyOfLog(log))?.size

/** The process dies after the witness has cosigned, before the checkpoint is written. */
function dying(log: TransparencyLog): TransparencyLog {
  const apply: PageStore['apply'] = async (files, fence) => {
    if (files.has('checkpoint')) throw new Error('the process was killed here')
    return log.store.apply(files, fence)
  }
  return { ...log, store: { ...log.store, apply } }
}

async function appendAndDie(log: TransparencyLog, count: number) {
  await queueEntries(log.db, count)
  await assert.rejects(advanceLog(dying(log)), /killed/)
}

test('a worker that died after a witness cosigned is finished by the next one', async () => {
  await using started = await startWitnessedLog()
  const { own, log, server } = started
  await appendAndDie(log, 5)
  assert.deepEqual([(await headOf(log.db)).size, await publishedSize(own), server.size()], [105, 100, 105])
  await queueEntries(log.db, 2)
  await advanceLog(log, {})
  const head = await headOf(log.db)
  assert.deepEqual([head.stoppedReason, await publishedSize(own), server.size()], [null, 107, 107])
  const last = await log.db.selectFrom('log_checkpoints').select('cosigned').where('size', '=', 107).executeTakeFirst()
  assert.equal(last?.cosigned, true)
})

test('the same holds if the first checkpoint was never written, and if entries were appended since', async () => {
  await using own = await startTestLog()
  await using server = await startWitness({ logKeyOf: () => own.log.signer.verifierKey })
  const witness: Witness = { key: parseVerifierKey(server.verifierKey), ...server }
  await own.log.db
    .insertInto('log_witnesses')
    .values({ name: server.name, verifier_key: server.verifierKey, url: server.url })
    .execute()
  const log = own.open([witness])
  await appendAndDie(log, 3)
  await queueEntries(log.db, 4)
  const published = await reconcileFiles(log)
  assert(published)
  await appendEntries(log, published)
  assert.deepEqual([(await headOf(log.db)).size, server.size()], [7, 3])
  await advanceLog(log, {})
  assert.deepEqual([(await headOf(log.db)).stoppedReason, await publishedSize(own), server.size()], [null, 7, 7])
})

test('a witness that knows more than the database stops the log before anything is signed, also after such a death', async () => {
  await using started = await startWitnessedLog()
  const { own, log, server } = started
  await queueEntries(log.db, 2)
  const seen = await reconcileFiles(log)
  assert(seen)
  await appendEntries(log, seen)
  const restore = await keepState(own)
  await cp(own.directory, `${own.directory}-kept`, { recursive: true })
  await appendAndDie(log, 5)
  assert.equal(server.size(), 107)
  // Database and files go back: the database to 102 entries, the files to 100.
  await restore()
  await rm(own.directory, { recursive: true })
  await cp(`${own.directory}-kept`, own.directory, { recursive: true })
  await rm(`${own.directory}-kept`, { recursive: true })
  await queueEntries(log.db, 5)
  await advanceLog(log, {})
  const head = await headOf(log.db)
  assert.deepEqual([head.stoppedReason, head.size, await publishedSize(own)], ['witness_ahead', 102, 100])
})

test('a witness between two checkpoints of the database stops the log if its tree is another one', async () => {
  await using started = await startWitnessedLog()
  const { own, log, server } = started
  const restore = await keepState(own)
  await appendAndDie(log, 3)
  assert.equal(server.size(), 103)
  // A failover loses the three entries. A process that did not notice appends others.
  await restore()
  await queueEntries(log.db, 9)
  const seen = await reconcileFiles(log)
  assert(seen)
  await appendEntries(log, seen)
  await queueEntries(log.db, 1)
  await advanceLog(log, {})
  const head = await headOf(log.db)
  assert.deepEqual([head.stoppedReason, head.size, await publishedSize(own)], ['witness_refuses', 109, 100])
})

test('a worker that asks the witnesses about a checkpoint that another worker has replaced does not stop the log', async () => {
  await using started = await startWitnessedLog()
  const { own, log, witness, server } = started
  const late = own.open([witness])
  await queueEntries(log.db, 5)
  const seen = await reconcileFiles(late)
  assert.equal(seen?.size, 100)
  await advanceLog(log)
  assert.deepEqual([await publishedSize(own), server.size()], [105, 105])
  assert.equal(await askWitnesses(late, seen, {}), true)
  await queueEntries(log.db, 5)
  await appendEntries(late, seen)
  await advanceLog(log)
  assert.deepEqual([(await headOf(log.db)).stoppedReason, await publishedSize(own), server.size()], [null, 110, 110])
})

test('while one witness does not answer, the others are not asked again', async () => {
  await using started = await startWitnessedLog()
  const { own, witness, server } = started
  const key = { ...witness.key, name: 'away.test/w2' }
  const log = own.open([witness, { ...witness, key, url: 'http://127.0.0.1:9/' }])
  const memory = {}
  const published = await reconcileFiles(log)
  assert(published)
  const before = server.requests()
  for (let round = 0; round < 3; round += 1) {
    assert.equal(await askWitnesses(log, published, memory), true)
    // As after a minute.
    Object.assign(memory, { askedAt: Number.NEGATIVE_INFINITY })
  }
  assert.equal(server.requests() - before, 1)
  // An operator who resumes the log has all of them asked again.
  await sql`update log_head set resumed_at = now()`.execute(own.log.db)
  assert.equal(await askWitnesses(log, published, memory), true)
  assert.equal(server.requests() - before, 2)
})
