import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { verifyPost } from '../../clients/typescript/src/verify/index.ts'
import { kinds } from '../../src/kinds/index.ts'
import { removePost } from '../../src/moderation/decisions/decide-by-person.ts'
import { connect, inTransaction } from '../../src/platform/database/database.ts'
import { privateKeyFromSeed } from '../../src/platform/ed25519.ts'
import { openPages } from '../../src/platform/page-store/open-pages.ts'
import { commitmentTo, committedEntry } from '../../src/transparency-log/entries.ts'
import {
  logFolder,
  OtherLog,
  openLog,
  readerOfLog,
  storeOfLog,
  type TransparencyLog,
} from '../../src/transparency-log/log.ts'
import { openNoteSigner } from '../../src/transparency-log/notes.ts'
import { readLogEntries } from '../../src/transparency-log/read-tiles.ts'
import { advanceLog } from '../../src/transparency-log/start-log.ts'
import { readLostCheckpoint, startNewLog } from '../../src/transparency-log/start-new-log.ts'
import { verifyLog } from '../../src/transparency-log/verify-log.ts'
import { runOperator } from '../../tooling/environment/processes.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'
import { headOf, keepState, queueEntries, startTestLog } from '../support/transparency-log.ts'

let service: Service
before(async () => {
  service = await startService({ judges: true })
})
after(() => service[Symbol.asyncDispose]())

const keyOf = (name: string) => `${name}:${createHash('sha256').update(name).digest('base64')}`

async function publish(author: { id: string }) {
  const [message] = kinds
  assert(message)
  const id = await publishAsModel(service, { kind: message, accountId: author.id })
  await service.settle()
  const url = `${service.baseUrl}/p/${id}`
  return { id, url, post: await textAt(`${url}.json`), proof: await textAt(`${url}.tlog-proof`) }
}

const textAt = async (url: string) => (await fetch(url)).text()

const remove = (postId: string) =>
  service.asOperator((tx, sites) =>
    removePost(tx, sites, { postId, category: 'spam', at: service.clock.now(), actor: 'operator:test' }),
  )

async function verify(
  { url, proof }: { url: string; proof?: string },
  seen: Parameters<typeof verifyPost>[0]['seenLogs'],
) {
  const { checks, isVerified } = await verifyPost({
    ...{ post: await textAt(`${url}.json`), address: url },
    ...(proof && { proof }),
    ...(seen && { seenLogs: seen }),
  })
  return { isVerified, says: checks.map(({ detail }) => detail).join(' '), failed: checks.filter((each) => each.code) }
}

test('a worker with the old key leaves a new log alone, and a log that a restored database has lost is closed as it was published', async () => {
  await using test = await startTestLog()
  const { log } = test
  await using operator = connect(test.database.urls.operator, { poolMax: 1, applicationName: 'test' })
  const openNext = (number: number): TransparencyLog => {
    const seed = createHash('sha256').update(String(number)).digest()
    const signer = openNoteSigner(`posts.example/log/${number}`, privateKeyFromSeed(seed))
    return { ...log, signer, store: storeOfLog(log.store, signer.name) }
  }
  const [next, third] = [openNext(2), openNext(3)]
  const start = async ({ signer }: TransparencyLog) => {
    const published = await readLostCheckpoint(operator.db, log.store)
    const at = log.clock.now()
    return inTransaction(operator.db, (tx) => startNewLog(tx, { signer, reason: 'entries_lost', published, at }))
  }
  await queueEntries(log.db, 5)
  await advanceLog(log)
  const restore = await keepState(test)
  await start(next)
  assert.deepEqual(await start(next), 'already')
  await assert.rejects(openLog(log.db, log.signer), OtherLog)

  await queueEntries(log.db, 300)
  await advanceLog(log)
  assert.equal((await headOf(log.db)).size, 0, 'the worker with the old key has appended nothing')
  await advanceLog(next)
  const paths = ['checkpoint', '2/checkpoint', '2/tile/0/000', '2/tile/entries/001.p/44']
  const before = await Promise.all(paths.map((path) => log.store.read(path)))
  assert(before.every((file) => file !== undefined))

  await restore()
  await start(next)
  await advanceLog(next)
  assert.equal((await headOf(log.db)).stoppedReason, 'database_behind')
  await start(third)
  await queueEntries(log.db, 2)
  await advanceLog(third)
  assert.equal((await headOf(log.db)).publishedSize, 2)
  assert.deepEqual(await Promise.all(paths.map((path) => log.store.read(path))), before)
  const closed = await log.db.selectFrom('closed_logs').select('last_checkpoint').orderBy('number').execute()
  assert.deepEqual(
    closed.map(({ last_checkpoint }) => last_checkpoint),
    before.slice(0, 2).map(String),
  )
  await using reader = connect(test.database.urls.reader, { poolMax: 1, applicationName: 'test' })
  assert.deepEqual((await verifyLog(reader.db, third.store, () => {})).faults, [])
})

test('a new log has all public posts and waiting decisions, and what the old log proved stays valid', async () => {
  const author = await service.createAccount()
  const [kept, removed, deleted] = [await publish(author), await publish(author), await publish(author)]
  const oldCheckpoint = await textAt(`${service.baseUrl}/log/checkpoint`)
  const oldOrigin = oldCheckpoint.split('\n')[0] ?? ''
  const logUrl = `${service.baseUrl}/log/2`
  const start = (reason: string, changes: object = {}) =>
    runOperator(
      {
        ...{ OPERATOR_DATABASE_URL: service.database.urls.operator, BROADSIDE_ENVIRONMENT: 'test' },
        PAGES_DIRECTORY: service.pagesDirectory,
        ...{ LOG_URL: logUrl, LOG_SIGNING_KEY: keyOf('second'), ...changes },
      },
      ...['log', 'start-new', reason],
    )
  const assertRefused = async (says: RegExp, ...args: Parameters<typeof start>) => {
    const { code, stderr, stdout } = await start(...args)
    assert.match(stderr, says)
    assert.deepEqual([code, stdout], [1, ''])
  }

  // The key for posts is another one since then, too: what the old one signed stays as it is.
  const signing = { POST_SIGNING_KEYS: keyOf('next'), LOG_SIGNING_KEY: keyOf('second'), LOG_URL: logUrl }
  await service.replaceWorker(signing, async () => {
    // Its decision and its removal wait for the old log.
    assert(await remove(removed.id))
    {
      await using running = connect(service.database.urls.worker, {
        ...{ poolMax: 1, applicationName: 'broadside worker (schema 64)' },
      })
      await running.pool.query('select 1')
      await assertRefused(/A worker is connected/, 'key_leaked')
    }
    await assertRefused(/one of: key_leaked, key_lost, entries_lost/, 'boredom')
    await assertRefused(/names an older log/, 'key_leaked', { LOG_URL: `http://${oldOrigin}` })
    await assertRefused(/is the key of an older log/, 'key_leaked', { LOG_SIGNING_KEY: keyOf('log') })
    const { code, json, stderr } = await start('key_leaked')
    assert.equal(code, 0, stderr)
    assert.deepEqual([json?.['started'], json?.['origin']], [true, logUrl.replace('http://', '')])
    // As if the command had been interrupted: it goes on with the posts that are left.
    await service.asOwner('update post_proofs set queue_id = 0 where post_id = $1', [kept.id])
    assert.equal((await start('key_leaked')).json?.['started'], false, 'once')
    await author.client.deletePost(deleted.id)
  })
  await service.settle()

  const now = await verify({ url: kept.url }, () => [oldOrigin])
  assert.deepEqual(now.failed, [], now.says)
  assert.match(now.says, /Entry \d+ of localhost:\d+\/log\/2\./)
  assert.equal(await textAt(`${kept.url}.json`), kept.post, 'the post and its signature are the same')
  const before = await verify(kept, undefined)
  assert(before.isVerified && before.says.includes(`Entry 0 of ${oldOrigin}.`), 'the old proof is still valid')

  const { logs } = JSON.parse(await textAt(`${service.baseUrl}/.well-known/broadside-keys.json`))
  assert.deepEqual(
    logs.map(({ state, origin, reason, last_checkpoint }: Record<string, string>) => [
      state,
      origin,
      reason,
      last_checkpoint,
    ]),
    [
      ['open', logUrl.replace('http://', ''), undefined, undefined],
      ['closed', oldOrigin, 'key_leaked', oldCheckpoint],
    ],
  )
  assert.equal(await textAt(`${service.baseUrl}/log/checkpoint`), oldCheckpoint, 'the old log does not change')

  const { body } = await author.client.getPost(removed.id)
  assert('removal' in body && body.removal?.log_entry)
  const { origin, index, salt, decision } = body.removal.log_entry
  assert(index !== null)
  assert.equal(origin, logUrl.replace('http://', ''))
  const [entry] = await readLogEntries(service.workerDb, index, index + 1)
  assert.equal(entry, committedEntry('decision', commitmentTo(origin, Buffer.from(salt, 'base64url'), decision)))

  await remove(kept.id)
  await service.settle()
  await using reader = connect(service.database.urls.reader, { poolMax: 1, applicationName: 'test' })
  await using pages = openPages(service.pages)
  const store = readerOfLog(pages.siteReader(logFolder), origin)
  assert.deepEqual((await verifyLog(reader.db, store, () => {})).faults, [])
})
