import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { kinds } from '../../src/kinds/index.ts'
import { privateKeyFromSeed } from '../../src/platform/ed25519.ts'
import { openPages } from '../../src/platform/page-store/open-pages.ts'
import { logFolder } from '../../src/transparency-log/log.ts'
import { openNoteSigner, signNote } from '../../src/transparency-log/notes.ts'
import { runOperator } from '../../tooling/environment/processes.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { publishAsModel } from '../support/posts/publish-as-model.ts'

let service: Service
let author: string
before(async () => {
  service = await startService({ judges: true })
  author = (await service.createAccount()).id
})
after(() => service[Symbol.asyncDispose]())

async function publish() {
  const [message] = kinds
  assert(message)
  await publishAsModel(service, { kind: message, accountId: author, changes: {} })
  await service.settle()
}

const readCheckpoint = async () => (await fetch(`${service.baseUrl}/log/checkpoint`)).text()
const stoppedReason = async () =>
  (await service.workerDb.selectFrom('log_head').select('stopped_reason').executeTakeFirst())?.stopped_reason

const run = (...args: string[]) =>
  runOperator(
    {
      ...{ OPERATOR_DATABASE_URL: service.database.urls.operator, READER_DATABASE_URL: service.database.urls.reader },
      ...{ BROADSIDE_ENVIRONMENT: 'test', PAGES_DIRECTORY: service.pagesDirectory },
    },
    ...['log', ...args],
  )

test('a damaged checkpoint is replaced by one of the log, and by nothing else', async () => {
  await publish()
  const older = await readCheckpoint()
  await publish()
  const newest = await readCheckpoint()
  const folder = await mkdtemp(join(tmpdir(), 'broadside-checkpoint-'))
  const file = join(folder, 'checkpoint')
  const put = async (note: string) => {
    await writeFile(file, note)
    return run('put-checkpoint', file)
  }
  const assertRefused = async (note: string, says: RegExp) => {
    const { code, stderr, stdout } = await put(note)
    assert.match(stderr, says)
    assert.deepEqual([code, stdout], [1, ''])
  }
  await assertRefused(older, /A valid checkpoint with \d+ entries is published/)
  assert.equal((await put(newest)).json?.['written'], false, 'it is published already')

  await using pages = openPages(service.pages)
  const store = await pages.openSite(logFolder)
  await store.apply(new Map([['checkpoint', 'not a checkpoint\n']]))
  await waitFor(async () => (await stoppedReason()) === 'unreadable', 'the log to stop')

  const [origin = '', size = '', root = ''] = newest.split('\n')
  const stranger = openNoteSigner(origin, privateKeyFromSeed(Buffer.alloc(32, 7)))
  await assertRefused('not a checkpoint\n', /not a checkpoint of/)
  await assertRefused(signNote(stranger, `${origin}\n${size}\n${root}\n`), /not a checkpoint of/)
  const ours = openNoteSigner(origin, privateKeyFromSeed(createHash('sha256').update('log').digest()))
  const otherRoot = Buffer.alloc(32, 7).toString('base64')
  await assertRefused(signNote(ours, `${origin}\n${size}\n${otherRoot}\n`), /the log was forked/)
  await assertRefused(signNote(ours, `${origin}\n999\n${root}\n`), /has 999 entries, and the database only/)
  assert.equal(await readCheckpoint(), 'not a checkpoint\n')

  const { code, json, stderr } = await put(older)
  assert.equal(code, 0, stderr)
  assert.deepEqual([json?.['written'], json?.['origin']], [true, origin])
  assert.equal(await readCheckpoint(), older)
  assert.equal((await run('resume')).json?.['resumed'], true)
  await publish()
  assert.equal(await stoppedReason(), null)
  assert(Number((await readCheckpoint()).split('\n')[1]) > Number(size), 'the log goes on')
  const recorded = await service.asOwner("select details from audit_log where action = 'log.put_checkpoint'")
  assert.equal(recorded.length, 1, 'only what was written')
  await rm(folder, { recursive: true })
})
