import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempDisposable } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Pool } from 'undici'
import { hashApiKey, newApiKey } from '../../../src/accounts/keys/api-key.ts'
import { connect } from '../../../src/platform/database/database.ts'
import { spawnBroadside, startApi, type TestSettings } from '../../../tooling/environment/processes.ts'
import type { OwnDatabase } from '../../../tooling/services/databases.ts'
import { answers } from '../../../tooling/services/stack.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { accountId } from '../../generation/seed/batch.ts'
import { seededDatabase } from '../../generation/seed/seeded-database.ts'
import { clients } from './harness.ts'

export type BenchService = Awaited<ReturnType<typeof openService>>

/** An API process on a database of its own with this many seeded posts; further processes are started by name. */
export async function openService(posts: number, changes: TestSettings = {}) {
  await using opening = new AsyncDisposableStack()
  const folder = opening.use(await mkdtempDisposable(join(tmpdir(), 'broadside-bench-')))
  const database = opening.use(await seededDatabase(posts))
  const owner = opening.use(
    connect(database.urls.migrator, { poolMax: 1, applicationName: 'bench', statementTimeoutMs: 0 }),
  )
  const apiKeys = await openAccounts(database)
  const pagesDirectory = join(folder.path, 'pages')
  const own = { LOG_LEVEL: 'silent', MODEL_DRIVER: 'always-on', PAGES_DIRECTORY: pagesDirectory, ...changes }
  const api = opening.use(await startApi(database, own))
  const http = new Pool(api.baseUrl, { connections: clients })
  opening.defer(() => http.close())
  const stack = opening.move()
  let calls = 0
  return {
    ...{ database, owner, api, apiKeys, pagesDirectory },
    /** Calls the API with the key of the next account, and returns the text of its answer. */
    call: async (path: string, { body, headers, status = 200 }: Call = {}): Promise<string> => {
      const response = await http.request({
        ...{ path, method: body === undefined ? 'GET' : 'POST' },
        headers: {
          authorization: `Bearer ${apiKeys[calls++ % apiKeys.length]}`,
          accept: 'application/json, text/event-stream',
          ...(body !== undefined && { 'content-type': 'application/json', 'idempotency-key': randomKey() }),
          ...headers,
        },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = await response.body.text()
      assert.equal(response.statusCode, status, `${path}: ${text}`)
      return text
    },
    start: async (name: 'worker' | 'model') => {
      const { WORKER_HEALTH_PORT, MODEL_URL } = api.settings
      const running = stack.use(spawnBroadside(api.settings, name))
      const url = name === 'worker' ? `http://127.0.0.1:${WORKER_HEALTH_PORT}/readyz` : `${MODEL_URL}/healthz`
      await waitFor(async () => !running.isRunning() || (await answers(url)), `${name} to be ready`, 60_000)
      assert.ok(running.isRunning(), `${name} exited: ${running.output.stderr}`)
      return running
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

type Call = { body?: object; headers?: Record<string, string>; status?: number }

const randomKey = () => randomBytes(12).toString('hex')

/** A seeded database has at least as many authors. */
export const accounts = 1_000

/** Known keys and enough balance for the first authors. */
export async function openAccounts({ urls }: OwnDatabase): Promise<string[]> {
  await using owner = connect(urls.migrator, { poolMax: 1, applicationName: 'bench setup', statementTimeoutMs: 0 })
  const ids = Array.from({ length: accounts }, (_, number) => accountId(number))
  const apiKeys = ids.map(() => newApiKey())
  await owner.pool.query(
    `update api_keys set hash = given.hash, last_used_at = $3 from unnest($1::text[], $2::bytea[]) as given (id, hash)
     where api_keys.account_id = given.id`,
    [ids, apiKeys.map(hashApiKey), new Date()],
  )
  await owner.pool.query(
    `insert into ledger_transfers (id, account_id, from_book, to_book, amount_micros, reason, subject, entered_at)
     select replace(id, 'acct_0', 'txn_1'), id, 'operator_credit', 'prepaid', 1000000000000, 'credit', 'bench ' || id, $2
     from unnest($1::text[]) id`,
    [ids, new Date()],
  )
  return apiKeys
}

const words =
  'anchor basin cargo delta estuary ferry gannet harbour inlet jetty keel lagoon mooring narrows oar pier'.split(' ')

/** A message of about thirty words in an order that no other post has, in topics that few or many posts have. */
export function makeMessage() {
  const some = Array.from({ length: 28 }, () => words[Math.floor(Math.random() * words.length)])
  const topic = `topic-${Math.floor(2_000 ** Math.random())}`
  return { text: `${randomKey()}: ${some.join(' ')}.`, topics: [topic] }
}
