import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { readCode } from '../../src/accounts/sign-in/codes.ts'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { storedTable, type TableName } from '../../src/contract/retention/tables.ts'
import { enqueue } from '../../src/jobs/enqueue.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { applyDecision } from '../../src/moderation/decisions/apply-decision.ts'
import { readCard } from '../../src/payments/card.ts'
import { connect } from '../../src/platform/database/database.ts'
import { createLogger } from '../../src/platform/observability/logger.ts'
import type { CardProvider } from '../../src/platform/payments/provider.ts'
import { openSealing } from '../../src/platform/sealing.ts'
import { settings } from '../../src/platform/settings/settings.ts'
import { rebuildSite } from '../../src/publishing/rebuild/rebuild-site.ts'
import { siteViews } from '../../src/publishing/views.ts'
import { openOwner } from '../../tooling/clients/owner.ts'
import { newSecretsKey, type Service, startService } from '../../tooling/environment/service.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { countAccountRows } from '../support/accounts/account-rows.ts'
import { makeFullAccount, marks } from '../support/accounts/full-account.ts'
import { verifyTestLedger } from '../support/money/verify-ledger.ts'
import { compareTrees, filesBelow } from '../support/pages/compare-trees.ts'
import { seedPost } from '../support/posts/create-post.ts'

const run = promisify(execFile)
const forgotten: string[] = []
/** All provider calls of this test. */
const provider = {
  driver: 'stripe',
  checkoutOrigin: 'https://checkout.example',
  forgetCustomer: async (customer: string) => void forgotten.push(customer),
  readPayment: async () => null,
  readCard: async () => ({ card: 'pm_late', brand: 'visa', last4: '4242', expires: '2031-05' }),
} as Partial<CardProvider> as CardProvider

const secretsKeys = newSecretsKey('test')
const sealing = openSealing(settings.SECRETS_KEYS.parse(secretsKeys))
const logger = createLogger('silent', 'test')
let service: Service
before(async () => {
  const zone = { [marks.webhookHost]: { a: ['127.77.0.1'] }, 'agent.example': { a: ['127.77.0.1'] } }
  service = await startService({
    ...{ judges: true, accountsPerAddress: 1_000, reportsPerAddress: 1_000, searchesPerKey: 1_000 },
    ...{ payments: provider, receivers: { zone }, settings: { SECRETS_KEYS: secretsKeys } },
  })
})
after(() => service[Symbol.asyncDispose]())

const dump = async () => (await run('pg_dump', [service.database.adminUrl], { maxBuffer: 256 << 20 })).stdout

/** The lines with forbidden data, and which data it was. */
const found = (text: string) =>
  text.split('\n').flatMap((line) =>
    Object.entries(marks)
      .filter(([, mark]) => line.toLowerCase().includes(mark.toLowerCase()))
      .map(([what]) => `${what}: ${line}`),
  )

/** The contents of the files in the pages directory. */
async function foundInPages(): Promise<string[]> {
  const files = [...(await filesBelow(service.pagesDirectory))]
  const texts = await Promise.all(
    files.map(async (path) => [path, unpacked(path, await readFile(join(service.pagesDirectory, path)))] as const),
  )
  return texts.filter(([, text]) => found(text).length > 0).map(([path]) => path)
}

const unpacked = (path: string, bytes: Buffer) => (path.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString()

const transfersOf = (accountId: string) =>
  service.asOwner<{ reason: string }>('select reason from ledger_transfers where account_id = $1 order by id', [
    accountId,
  ])

test('after deletion, a dump of the whole database and all pages contain nothing of the account but its ledger entries', async () => {
  const account = await makeFullAccount(service, sealing)
  await account.clientOf('message').searchPosts({ q: 'ferry' })
  const before = await dump()
  // Where each occurs before; the address is nowhere, even while its account is counted.
  const missing = Object.keys(marks).filter((what) => !found(before).some((line) => line.startsWith(`${what}: `)))
  assert.deepEqual(missing, ['address'])
  assert.ok((await foundInPages()).length >= kinds.length * 3)
  const entries = await transfersOf(account.id)
  const rowsBefore = await countAccountRows(service, account.id)

  const owner = await openOwner(service, account.id)
  const answer = await owner.post('/account/deletion', { word: 'DELETE', refund: 'yes' })
  assert.deepEqual([answer.status, answer.headers.get('location')], [303, '/goodbye'])
  await service.settle()

  assert.deepEqual(found(await dump()), [])
  assert.deepEqual(await foundInPages(), [])
  assert.deepEqual(forgotten, ['cus_one'])
  assert.deepEqual(await transfersOf(account.id), [...entries, { reason: 'payout' }])
  const books = await verifyTestLedger(service.database)
  assert.deepEqual([books.difference_count, books.sum_micros], [0, '0'])
  await assertCleared(account.id, account.published)
  const rowsAfter = await countAccountRows(service, account.id)
  for (const [table, rows] of Object.entries(rowsBefore)) {
    if (storedTable(table as TableName).onAccountDeletion?.does !== 'deleted') continue
    assert.deepEqual([rows > 0, rowsAfter[table]], [true, 0], table)
  }
})

async function assertCleared(accountId: string, published: Record<string, string>) {
  const [left] = await service.asOwner(
    `select
       (select count(*)::int from posts where account_id = $1 and status not in ('published', 'deleted')) as posts,
       (select count(*)::int from posts where account_id = $1 and status = 'published') as published,
       (select count(*)::int from deliveries join webhooks on webhooks.id = webhook_id where account_id = $1) as deliveries,
       (select count(*)::int from reports where account_id = $1) as reports,
       (select count(*)::int from reports where detail = 'Theirs stays.') as others,
       (select cleared_at is not null from accounts where id = $1) as cleared`,
    [accountId],
  )
  assert.deepEqual(left, { posts: 0, published: kinds.length, deliveries: 0, reports: 0, others: 1, cleared: true })
  for (const { name } of kinds) {
    const { body } = await service.client(undefined, name).getPost(String(published[name]))
    assert.ok('content' in body)
    assert.deepEqual([body.author_id, body.content.author.name], [null, 'Deleted account'])
  }
  const acts = await service.asOwner<{ action: string; details: object }>(
    'select action, details from audit_log where account_id = $1 order by id',
    [accountId],
  )
  assert.deepEqual(acts.at(-1)?.action, 'owner.close_account')
  assert.deepEqual(Object.keys(acts.at(-1)?.details ?? {}).sort(), ['balance_micros', 'owed_micros', 'refunded_micros'])
}

test('Invariant 9: a rebuild of the pages gives the same bytes', async () => {
  const site = siteViews(sitesFromSettings(service.baseUrls)).get('event')
  assert(site)
  const live = join(service.pagesDirectory, site.kind.site.slug)
  const kept = `${live}-kept`
  await cp(live, kept, { recursive: true, dereference: true })
  await rebuildSite({
    ...{ db: service.workerDb, clock: service.clock, databaseUrl: service.database.urls.worker },
    ...{ site, pages: service.pages, threads: 1, documents: new Map(), onProgress: () => {} },
    linksNothing: true,
  })
  const { different } = await compareTrees(kept, live)
  assert.deepEqual(
    different.filter((path) => /^(p|topics|places|archive)\//.test(path)),
    [],
  )
})

/** Waits until this many transactions wait for a lock. */
const untilWaiting = (count: number) =>
  waitFor(async () => {
    const [waiting] = await service.asOwner<{ count: number }>(
      `select count(distinct pid)::int as count from pg_locks join pg_stat_activity using (pid)
         where datname = current_database() and not granted`,
    )
    return waiting?.count === count
  }, `${count} to wait`)

/** Another account's transaction that locks the named row. */
async function holdElsewhere(statement: string, values: unknown[]) {
  const connection = connect(service.database.urls.migrator, { poolMax: 1, applicationName: 'test holder' })
  const client = await connection.pool.connect()
  await client.query('begin')
  await client.query(statement, values)
  const letGo = async () => {
    await client.query('rollback')
    client.release()
    await connection[Symbol.asyncDispose]()
  }
  return { query: client.query.bind(client), [Symbol.asyncDispose]: letGo }
}

/** Closes an account in a transaction that stays open until these calls wait for it, and returns their responses. */
async function closedUnder(accountId: string, calls: (() => Promise<unknown>)[]): Promise<string[]> {
  await using connection = connect(service.database.urls.owner_page, { poolMax: 1, applicationName: 'test closing' })
  const closing = await connection.pool.connect()
  await closing.query('begin')
  await closing.query('select close_account($1, $2)', [accountId, service.clock.now()])
  const answers = calls.map((call) =>
    call().then(
      () => 'done',
      (error) => String(error.code),
    ),
  )
  await untilWaiting(calls.length)
  await closing.query('commit')
  closing.release()
  return Promise.all(answers)
}

test('calls in progress while the account is closed are refused like a revoked key, and leave nothing', async () => {
  const { id, client } = await service.createCustomer()
  const message = kinds[0] as Kind
  const rejected = await seedPost(service, message, { accountId: id, status: 'rejected' })
  const published = await seedPost(service, message, { accountId: id, status: 'published' })
  // Recording the last use of an idle key would also wait.
  await client.getAccount()
  const answers = await closedUnder(id, [
    () => client.submitPost({ text: 'A note that comes in the last moment.' }),
    () => client.editPost(published, { text: 'A change that comes in the last moment.' }),
    () => client.createWebhook({ url: 'https://agent.example/late' }),
    () => client.appealPost(rejected, { message: 'In the last moment.' }),
    () => client.reportPost({ post_id: published, category: 'spam', detail: 'In the last moment.' }),
  ])
  assert.deepEqual(answers, Array(5).fill('invalid_api_key'))
  assert.ok(!/last moment|example\/late/.test(await dump()))
})

test('reading a card or entering a code at the same moment waits for the closure, and leaves nothing', async () => {
  const { id } = await service.createCustomer()
  await service.asOwner('insert into payment_customers (account_id, customer, created_at) values ($1, $2, $3)', [
    ...[id, 'cus_two', service.clock.now()],
  ])
  const parts = { db: service.workerDb, clock: service.clock }
  const [owner, elsewhere] = [await openOwner(service, id), await openOwner(service, id)]
  await elsewhere.post('/account/email', { email: 'late@people.example' })
  const [row] = await service.asOwner<{ id: number }>('select id from owner_codes where account_id = $1', [id])
  const sent = await readCode(service.workerDb, sealing, { id: Number(row?.id), at: service.clock.now() })
  const begun: Promise<unknown>[] = []
  {
    await using _holder = await holdElsewhere('select from accounts where id = $1 for share', [id])
    begun.push(owner.post('/account/deletion', { word: 'DELETE' }))
    await untilWaiting(1)
    begun.push(elsewhere.post('/account/email/code', { code: String(sent?.code) }))
    begun.push(readCard({ ...parts, payments: provider, logger }, { account_id: id }))
    await untilWaiting(3)
  }
  const [closed, entered] = (await Promise.all(begun)) as Response[]
  assert.deepEqual([closed?.status, entered?.status], [303, 422])
  await service.settle()
  assert.ok(!/late@people|pm_late|cus_two/.test(await dump()))
})

test('closing an account is retried once after a conflict with another transaction', async () => {
  const { id, client } = await service.createCustomer()
  const { id: other } = await service.createCustomer()
  const post = await seedPost(service, kinds[0] as Kind, { accountId: other, status: 'published' })
  const contact_email = 'crossed@people.example'
  await service.asOwner('update accounts set email = $2 where id = $1', [id, contact_email])
  await client.reportPost({ post_id: post, category: 'spam' })
  await service.client().reportPost({ post_id: post, category: 'spam', contact_email })
  const owner = await openOwner(service, id)
  let closing: Promise<Response>
  {
    await using holder = await holdElsewhere('select from reports where contact_email = $1 for update', [contact_email])
    closing = owner.post('/account/deletion', { word: 'DELETE' })
    await untilWaiting(1)
    // The closure waited first, so the database aborts it; on a slow machine it may be this one.
    await holder.query('select from reports where account_id = $1 for update', [id]).catch(() => {})
  }
  assert.equal((await closing).status, 303)
})

test('a post of a closed account is not moderated, and is erased even if its job was lost', async () => {
  const { id: accountId } = await service.createCustomer()
  const postId = await seedPost(service, kinds[0] as Kind, { accountId, status: 'queued' })
  await service.asOwner("update accounts set standing = 'closed' where id = $1", [accountId])
  for (const outcome of ['publish', 'abuse', 'review'] as const) {
    const decision = { postId, edit: 0, outcome, category: outcome === 'abuse' ? ('spam' as const) : null }
    const by = { automated: true, actor: 'model:test' }
    await assert.rejects(
      service.asWorker((tx, sites) =>
        applyDecision(tx, sites, { ...decision, by, from: ['queued'], at: service.clock.now() }),
      ),
      { code: '42501' },
    )
  }
  await service.asWorker((tx) => enqueue(tx, 'lapse-deletions', {}))
  await service.settle()
  const [post] = await service.asOwner('select status, content from posts where id = $1', [postId])
  assert.deepEqual(post, { status: 'deleted', content: null })
})

test('only the owner page can close an account, and the worker erases only closed ones', async () => {
  const { id, client } = await service.createAccount()
  for (const role of ['api', 'worker', 'operator', 'reader'] as const) {
    await using connection = connect(service.database.urls[role], { poolMax: 1, applicationName: 'test role' })
    await assert.rejects(connection.pool.query('select close_account($1, $2)', [id, service.clock.now()]), {
      code: '42501',
    })
  }
  await service.asWorker((tx) => enqueue(tx, 'clear-closed-account', { account_id: id }))
  await service.settle()
  assert.equal((await client.getAccount()).body.standing, 'good')
})
