import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, type TestContext, test } from 'node:test'
import { buildModelServer } from '../../model/server/server.ts'
import { prepareQueues } from '../../src/jobs/prepare-queues.ts'
import { credit } from '../../src/ledger/deposits.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { connect, inTransaction } from '../../src/platform/database/database.ts'
import { readMigrations } from '../../src/platform/database/migration-files.ts'
import { assertSchemaIsCurrent, migrate, readSchemaStatus } from '../../src/platform/database/migrations.ts'
import { createLogger } from '../../src/platform/observability/logger.ts'
import { openApiClient } from '../../tooling/clients/api-client.ts'
import {
  type Checkout,
  hasPreviousRelease,
  openPreviousRelease,
  previousDatabase,
} from '../../tooling/environment/previous-release.ts'
import { program, settingsFor, spawnNode, type TestSettings } from '../../tooling/environment/processes.ts'
import { quietModel } from '../../tooling/models/stub-models.ts'
import type { OwnDatabase } from '../../tooling/services/databases.ts'
import { answers } from '../../tooling/services/stack.ts'
import { waitFor } from '../../tooling/services/state.ts'

/** The database starts as the previous release left it, and this release migrates it in two phases. */
const isThere = await hasPreviousRelease()
let previous: Checkout
let database: OwnDatabase
let settings: TestSettings
const stack = new AsyncDisposableStack()

before(async () => {
  if (!isThere) return
  previous = stack.use(await openPreviousRelease())
  database = stack.use(await previousDatabase('previous', previous))
  const pages = mkdtempSync(join(tmpdir(), 'broadside-pages-'))
  stack.defer(() => rmSync(pages, { recursive: true, force: true }))
  const logger = createLogger('silent', 'model')
  const model = buildModelServer({ clock: systemClock, logger, local: quietModel, obeysTestWords: true, slowMs: 200 })
  const modelUrl = await model.listen({ host: '127.0.0.1', port: 0 })
  stack.defer(() => model.close())
  const driver = { MODEL_DRIVER: 'always-on', MODEL_URL: modelUrl, JUDGE_URL: modelUrl, MODEL_NAME: quietModel.name }
  settings = await settingsFor(database, { ...driver, PAGES_DIRECTORY: pages })
})
after(() => stack.disposeAsync())

const needsCommit = (context: TestContext) => {
  if (!isThere) context.skip('This clone does not have the commit of the previous release: fetch its whole history.')
  return isThere
}

test('on the schema of the previous release, this one says which migration it needs', async (context) => {
  if (!needsCommit(context)) return
  const migrations = await readMigrations()
  const { works_with, waiting_before_deploy } = await readSchemaStatus(database.urls.migrator, migrations)
  assert.equal(works_with, previous.migrations.at(-1)?.version)
  await using connection = connect(database.urls.api, { poolMax: 1, applicationName: 'test' })
  const starting = assertSchemaIsCurrent(connection.pool, migrations)
  if (waiting_before_deploy.length > 0) await assert.rejects(starting, /lacks migration .*run .*migrate/)
  else await starting
})

test('the previous release starts and publishes on the schema of this one', async (context) => {
  if (!needsCommit(context)) return
  await migrate(database.urls.migrator, await readMigrations(), new Date(), { through: 'before' })
  await prepareQueues(database.urls.migrator)
  await publishWith(previous.program)
})

test('this release starts and publishes on that schema, before its second phase', async (context) => {
  if (!needsCommit(context)) return
  await publishWith(program)
})

test('the second phase leaves a schema on which this release is current', async (context) => {
  if (!needsCommit(context)) return
  const migrations = await readMigrations()
  await migrate(database.urls.migrator, migrations, new Date())
  const status = await readSchemaStatus(database.urls.migrator, migrations)
  assert.deepEqual([status.waiting_before_deploy, status.waiting_after_deploy], [[], []])
  assert.equal(status.schema, status.program)
})

/** Starts API and worker, creates an account, submits a post, and reads it as its author, a reader and a file. */
async function publishWith(path: string): Promise<void> {
  await using api = spawnNode(settings, [path, 'api'])
  await using worker = spawnNode(settings, [path, 'worker'])
  const isReady = (port: string | undefined) => answers(`http://127.0.0.1:${port}/readyz`)
  const isAnyGone = () => !api.isRunning() || !worker.isRunning()
  const isReadyOrGone = async () =>
    isAnyGone() || ((await isReady(settings.API_HEALTH_PORT)) && (await isReady(settings.WORKER_HEALTH_PORT)))
  await waitFor(isReadyOrGone, 'API and worker to be ready')
  assert.ok(!isAnyGone(), `a process ended: ${api.output.stderr}${worker.output.stderr}`)
  const baseUrl = `http://127.0.0.1:${settings.API_PORT}`
  const { body: account } = await openApiClient({ baseUrl, maxRetries: 0 }).createAccount(newcomer)
  await giveCredit(account.id)
  const client = openApiClient({ baseUrl, apiKey: account.api_key, maxRetries: 0 })
  const text = `The ferry leaves at noon from the pier of ${account.id}.`
  const { body: sent } = await client.submitPost({ text }, {}, { idempotencyKey: account.id })
  assert.ok('id' in sent)
  const isPublished = async () => {
    const { body } = await client.getPost(sent.id)
    return 'status' in body && body.status === 'published' && (await pageFiles()).some((file) => file.includes(sent.id))
  }
  await waitFor(isPublished, 'the post and its page to be published')
  const { body: read } = await openApiClient({ baseUrl, maxRetries: 0 }).getPost(sent.id)
  assert.match(JSON.stringify(read), /The ferry leaves at noon/)
}

const newcomer = { name: 'Harbour Notices', email: 'owner@example.com', accept_terms: true } as const

async function giveCredit(accountId: string): Promise<void> {
  await using operator = connect(database.urls.operator, { poolMax: 1, applicationName: 'test operator' })
  const booking = { accountId, amountMicros: 1_000_000, subject: `test:${accountId}`, at: new Date() }
  await inTransaction(operator.db, (tx) => credit(tx, booking))
}

const pageFiles = async () => (await readdir(String(settings.PAGES_DIRECTORY), { recursive: true })).map(String)
