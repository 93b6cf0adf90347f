import assert from 'node:assert/strict'
import { appendFile, cp, mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { erasureLogKeptDays } from '../../src/contract/retention/backups.ts'
import { type Erasure, openErasureLog } from '../../src/erasures/erasure-log.ts'
import { lastOfEach } from '../../src/erasures/replay-erasures.ts'
import { assertClosingIsLogged } from '../../src/erasures/write-erasures.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { removePost } from '../../src/moderation/decisions/decide-by-person.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { connect } from '../../src/platform/database/database.ts'
import { asAdministrator } from '../../src/platform/database/database-setup.ts'
import { runOperator, settingsFor, spawnBroadside } from '../../tooling/environment/processes.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'
import { migratedDatabase } from '../../tooling/services/databases.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { seedPost } from '../support/posts/create-post.ts'

const directory = join(tmpdir(), `broadside-erasures-${process.pid}`)
const log = openErasureLog(directory)
const begin = new Date(systemClock.now().getTime() - 60_000)

let service: Service
before(async () => {
  service = await startService({ judges: true, settings: { ERASURE_LOG: directory } })
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await rm(directory, { recursive: true, force: true })
})

const seed = (accountId: string, status: 'published' | 'removed' | 'review' = 'published') =>
  seedPost(service, kinds[0] as Kind, { accountId, status })
const noted = async (kind: string, id: string) =>
  (await log.read(begin)).erasures.some((line) => line.kind === kind && line.id === id)
const untilNoted = (kind: string, id: string) => waitFor(() => noted(kind, id).catch(() => false), `${kind} in the log`)

test('each erasure is in the log, as an identifier without any text', async () => {
  const account = await service.createCustomer()
  const [deleted, removed] = [await seed(account.id), await seed(account.id)]
  await account.client.deletePost(deleted)
  const removal = { postId: removed, actor: 'operator:test', at: service.clock.now() }
  await service.asOperator((tx, sites) => removePost(tx, sites, { ...removal, category: 'spam' }))
  const { body: webhook } = await account.client.createWebhook({ url: 'https://agent.example/hook' })
  await account.client.deleteWebhook(webhook.id)
  const [key] = await service.asOwner<{ id: string }>(
    'update api_keys set revoked_at = $2 where account_id = $1 returning id',
    [account.id, service.clock.now()],
  )
  for (const [kind, id] of [
    ['post.deleted', deleted],
    ['post.removed', removed],
    ['webhook.deleted', webhook.id],
    ['key.revoked', String(key?.id)],
  ] as const)
    await untilNoted(kind, id)
  const { erasures } = await log.read(begin)
  assert.equal(erasures.find(({ id }) => id === removed)?.category, 'spam')
  assert.deepEqual([...new Set(erasures.flatMap((line) => Object.keys(line)))].sort(), ['at', 'category', 'id', 'kind'])
})

test('a closed account is not cleared before it is in the log', async () => {
  await using database = await migratedDatabase('erasures')
  await using worker = connect(database.urls.worker, { poolMax: 2, applicationName: 'test worker' })
  const id = 'acct_01jcmzq8e5f7r9t2v4x6y8z0ab'
  await asAdministrator(database.adminUrl, (admin) =>
    admin.query("insert into erasures (kind, subject) values ('account.closed', $1)", [id]),
  )
  const own = openErasureLog(join(directory, 'closing'))
  const broken = { ...own, append: () => Promise.reject(new Error('the disk is full')) }
  const writing = { db: worker.db, clock: systemClock }
  await assert.rejects(assertClosingIsLogged({ ...writing, log: broken }, id), /the disk is full/)
  await assertClosingIsLogged({ ...writing, log: own }, id)
  const { erasures } = await own.read(begin)
  assert.deepEqual(
    erasures.map(({ kind, id }) => [kind, id]),
    [['account.closed', id]],
  )
})

test('a worker that cannot write the log counts each try', async () => {
  await using database = await migratedDatabase('erasures')
  const file = join(tmpdir(), `broadside-erasures-${process.pid}-file`)
  await writeFile(file, '')
  const settings = await settingsFor(database, { ERASURE_LOG: join(file, 'below') })
  await asAdministrator(database.adminUrl, (admin) =>
    admin.query("insert into erasures (kind, subject) values ('post.deleted', 'post_01jcmzq8e5f7r9t2v4x6y8z0ab')"),
  )
  await using _worker = spawnBroadside(settings, 'worker')
  const read = async () => (await fetch(`http://127.0.0.1:${settings.WORKER_HEALTH_PORT}/metrics`)).text()
  const counts = async () => /^erasures_log_failures_total\S* [1-9]/m.test(await read().catch(() => ''))
  await waitFor(counts, 'the failures to be counted', 120_000)
  await rm(file)
})

test('a closed account is noted', async () => {
  const account = await service.createAccount()
  await service.asOwner('select close_account($1, $2)', [account.id, service.clock.now()])
  await untilNoted('account.closed', account.id)
})

test('the log survives a line that a crash cut off, and names it', async () => {
  const own = openErasureLog(join(directory, 'torn'))
  const line = (id: string): Erasure => ({ at: new Date('2026-11-17T10:00:00Z'), kind: 'post.deleted', id })
  await own.append([line('post_a')])
  const [name] = await readdir(join(directory, 'torn'))
  await appendFile(join(directory, 'torn', String(name)), '{"at":"2026-11-1')
  await own.append([line('post_b')])
  const { erasures, unreadable } = await own.read(new Date('2026-11-17T09:00:00Z'))
  assert.deepEqual(
    erasures.map(({ id }) => id),
    ['post_a', 'post_b'],
  )
  assert.deepEqual(unreadable, [`${name}:2`])
})

test('the logs of two machines can be copied into one directory, and are read together', async () => {
  const line = (id: string): Erasure => ({ at: new Date('2026-11-17T10:00:00Z'), kind: 'post.deleted', id })
  const [one, other] = ['one', 'other'].map((name) => ({ name, folder: join(directory, name) }))
  assert(one && other)
  const copy = join(directory, 'copy')
  await mkdir(copy)
  for (const { name, folder } of [one, other, one, other]) {
    await openErasureLog(folder, name).append([line(`post_${name}`)])
    await cp(folder, copy, { recursive: true })
  }
  await openErasureLog(copy, '').append([line('post_nameless')])
  await writeFile(join(copy, '2026-11-17.jsonl'), `${JSON.stringify(line('post_older'))}\n`)
  const { erasures } = await openErasureLog(copy).read(new Date('2026-11-17T09:00:00Z'))
  assert.deepEqual(erasures.map(({ id }) => id).sort(), [
    'post_nameless',
    'post_older',
    'post_one',
    'post_one',
    'post_other',
    'post_other',
  ])
})

test('files are deleted when no backup can be older, and nothing else is', async () => {
  const folder = join(directory, 'old')
  await mkdir(folder, { recursive: true })
  const at = new Date('2026-11-17T12:00:00Z')
  const dayBefore = (days: number) => new Date(at.getTime() - days * 86_400_000).toISOString().slice(0, 10)
  const [old, kept] = [`${dayBefore(erasureLogKeptDays + 1)}.host.jsonl`, `${dayBefore(erasureLogKeptDays)}.host.jsonl`]
  for (const name of [old, kept, 'notes.txt']) await writeFile(join(folder, name), '')
  assert.equal(await openErasureLog(folder).prune(at), 1)
  assert.deepEqual((await readdir(folder)).sort(), [kept, 'notes.txt'].sort())
})

test('the last line about a post counts, and a deletion is final', () => {
  const line = (kind: Erasure['kind'], id: string): Erasure => ({ at: begin, kind, id })
  const lines = [line('post.removed', 'a'), line('post.removed', 'b'), line('post.restored', 'a')]
  lines.push(line('post.deleted', 'c'), line('post.removed', 'c'), line('account.closed', 'a'))
  assert.deepEqual(
    lastOfEach(lines).map(({ kind, id }) => `${kind} ${id}`),
    ['post.removed b', 'post.restored a', 'post.deleted c', 'account.closed a'],
  )
})

test('replay repeats on a restored database what happened later, and changes nothing the second time', async () => {
  const [author, leaver] = [await service.createCustomer(), await service.createCustomer()]
  const posts = { deleted: await seed(author.id), removed: await seed(author.id), restored: await seed(author.id) }
  // Published after the restored time, and then removed.
  const undecided = await seed(author.id, 'review')
  const waiting = await seed(leaver.id, 'review')
  const { body: webhook } = await author.client.createWebhook({ url: 'https://agent.example/replayed' })
  const folder = join(directory, 'replay')
  const at = new Date(systemClock.now().getTime() - 1_000)
  const line = (kind: Erasure['kind'], id: string): Erasure => ({ at, kind, id })
  await openErasureLog(folder).append([
    line('post.deleted', posts.deleted),
    { ...line('post.removed', posts.removed), category: 'spam' },
    { ...line('post.removed', posts.restored), category: 'spam' },
    { ...line('post.removed', undecided), category: 'spam' },
    line('post.restored', posts.restored),
    line('post.deleted', 'post_01jcmzq8e5f7r9t2v4x6y8z0ab'),
    line('webhook.deleted', webhook.id),
    line('account.closed', leaver.id),
  ])
  const settings = await settingsFor(service.database)
  const replay = () => runOperator(settings, 'erasures', 'replay', '--since', at.toISOString(), '--log', folder)
  const first = await replay()
  assert.equal(first.code, 0, first.stderr)
  const expected = { lines: 8, 'post.removed': counts(2, 0, 0), 'post.restored': counts(0, 1, 0) }
  assert.deepEqual(
    { ...first.json, since: undefined, sessions_ended: undefined },
    {
      ...expected,
      'post.deleted': counts(1, 0, 1),
      'webhook.deleted': counts(1, 0, 0),
      'account.closed': counts(1, 0, 0),
      unreadable: [],
      since: undefined,
      sessions_ended: undefined,
    },
  )
  const statusOf = async (id: string) =>
    (
      await service.asOwner<{ status: string; content: object | null }>(
        'select status, content from posts where id = $1',
        [id],
      )
    )[0]
  assert.deepEqual(await statusOf(posts.deleted), { status: 'deleted', content: null })
  assert.equal((await statusOf(posts.removed))?.status, 'removed')
  assert.equal((await statusOf(undecided))?.status, 'rejected')
  assert.equal((await statusOf(posts.restored))?.status, 'published')
  assert.deepEqual(await statusOf(waiting), { status: 'deleted', content: null })
  await assert.rejects(leaver.client.getAccount(), { status: 401 })
  const second = await replay()
  assert.deepEqual(second.json?.['post.deleted'], counts(0, 1, 1))
  assert.deepEqual(second.json?.['post.removed'], counts(0, 2, 0))
  assert.deepEqual(second.json?.['account.closed'], counts(0, 1, 0))
})

const counts = (done: number, already: number, absent: number) => ({ done, already, absent })

test('replay says what is missing', async () => {
  const settings = await settingsFor(service.database)
  const withoutZone = await runOperator(settings, 'erasures', 'replay', '--since', '2026-11-17 12:00')
  assert.match(withoutZone.stderr, /--since must be the restored time with its zone/)
  const elsewhere = ['--since', '2026-11-17T12:00:00Z', '--log', join(directory, 'nowhere')]
  assert.match((await runOperator(settings, 'erasures', 'replay', ...elsewhere)).stderr, /cannot be read \(ENOENT\)/)
})
