import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect, type Database, inTransaction } from '../../../../src/platform/database/database.ts'
import { newId } from '../../../../src/platform/identifiers.ts'
import { recordEvent } from '../../../../src/posts/events.ts'
import { spawnBroadside, startApi, type TestSettings } from '../../../../tooling/environment/processes.ts'
import { startDnsServer } from '../../../../tooling/network/dns-server.ts'
import { makeCertificates, receiverRange } from '../../../../tooling/network/https-receiver.ts'
import { migratedDatabase, type OwnDatabase } from '../../../../tooling/services/databases.ts'
import { answers } from '../../../../tooling/services/stack.ts'
import { waitFor } from '../../../../tooling/services/state.ts'
import { profiling } from '../cpu-time.ts'

const endpointsPerAccount = 5
/** Four endpoints with eight attempts each: a worker's maximum concurrency per host. */
const endpointsPerHost = 4

type EnvironmentOptions = {
  endpoints: number
  /** The folder for a CPU profile of the worker, if one is wanted. */
  profile: string | undefined
  /** An existing database; by default, a new one. */
  database?: OwnDatabase
}
export type WebhookEnvironment = Awaited<ReturnType<typeof openWebhookEnvironment>>

/** A worker process, a receiver at several addresses, and endpoints registered through the API. */
export async function openWebhookEnvironment(
  stack: AsyncDisposableStack,
  { endpoints, profile, database: given }: EnvironmentOptions,
) {
  const addressOf = chooseAddresses(Math.ceil(endpoints / endpointsPerHost))
  const hosts = Object.keys(addressOf)
  const { ca, key, cert } = makeCertificates(hosts)
  const receiver = await startChild(stack, 'receiver.ts', { key, cert, addresses: Object.values(addressOf) })
  const zone = Object.fromEntries(Object.entries(addressOf).map(([host, address]) => [host, { a: [address] }]))
  const dns = stack.use(await startDnsServer(zone))
  const folder = await mkdtemp(join(tmpdir(), 'broadside-bench-'))
  stack.defer(() => rm(folder, { recursive: true }))
  const authorities = join(folder, 'ca.pem')
  await writeFile(authorities, ca)
  const database = stack.use(given ?? (await migratedDatabase('bench')))
  const owner = stack.use(
    connect(database.urls.migrator, { poolMax: 2, applicationName: 'bench', statementTimeoutMs: 0 }),
  )
  const { settings, accounts, secretOf } = await register(database, hosts, endpoints, {
    LOG_LEVEL: 'warn',
    PAGES_DIRECTORY: join(folder, 'pages'),
    OUTBOUND_TEST_RANGES: receiverRange,
    OUTBOUND_DNS_SERVERS: dns.server,
    OUTBOUND_CERTIFICATE_AUTHORITIES: authorities,
  })
  // The daily limit for endpoints that never answered a test must not hold the events.
  await owner.pool.query('update webhooks set proven_at = created_at')
  const worker = stack.use(spawnBroadside({ ...settings, ...profiling(profile) }, 'worker'))
  const readyUrl = `http://127.0.0.1:${settings.WORKER_HEALTH_PORT}/readyz`
  await waitFor(async () => !worker.isRunning() || (await answers(readyUrl)), 'the worker to be ready', 15_000)
  assert.ok(worker.isRunning(), `the worker exited: ${worker.output.stderr}`)
  return { endpoints, ca, addressOf, receiver, owner, accounts, secretOf, worker }
}

function chooseAddresses(hosts: number): Record<string, string> {
  const network = `127.77.${randomInt(1, 255)}`
  const names = Array.from({ length: hosts }, (_, at) => `hooks-${at + 1}.example.test`)
  return Object.fromEntries(names.map((name, at) => [name, `${network}.${at + 1}`]))
}

/** Starts a program of this folder in a separate process and waits until it is ready. */
export async function startChild(stack: AsyncDisposableStack, file: string, order?: object): Promise<ChildProcess> {
  const child = fork(join(import.meta.dirname, file), order ? [JSON.stringify(order)] : [])
  stack.defer(() => void child.kill())
  await once(child, 'message')
  return child
}

/** The API is stopped before anything is measured. */
async function register(database: OwnDatabase, hosts: readonly string[], endpoints: number, changes: TestSettings) {
  await using api = await startApi(database, changes)
  const accounts: { id: string; api_key: string }[] = []
  const secretOf = new Map<string, string>()
  for (let number = 0; number < endpoints; number++) {
    if (number % endpointsPerAccount === 0) accounts.push((await api.client().createAccount(newcomer)).body)
    const endpoint = `${hosts[number % hosts.length]}/${number}`
    const { body } = await api.client(accounts.at(-1)?.api_key).createWebhook({ url: `https://${endpoint}` })
    secretOf.set(endpoint, body.secret)
  }
  return { settings: api.settings, accounts: accounts.map(({ id }) => id), secretOf }
}

const newcomer = { name: 'Bench', email: 'bench@example.com', accept_terms: true } as const

const eventsPerTransaction = 100

/** Records events of published posts, this many per account. Nothing is sent before the lanes are due. */
export async function recordEvents({ owner, accounts }: WebhookEnvironment, perAccount: number): Promise<void> {
  await owner.pool.query(`update delivery_lanes set paused_until = 'infinity'`)
  for (const accountId of accounts)
    for (let recorded = 0; recorded < perAccount; recorded += eventsPerTransaction)
      await recordSome(owner.db, accountId, Math.min(eventsPerTransaction, perAccount - recorded))
  await owner.pool.query('vacuum analyze events, deliveries, delivery_lanes')
}

function recordSome(db: Database, accountId: string, count: number): Promise<void> {
  return inTransaction(db, async (tx) => {
    for (let number = 0; number < count; number++) {
      const at = new Date()
      const postId = newId('post', at)
      const url = `https://messages.example/p/${postId}`
      const data = { id: postId, kind: 'message', status: 'published', url }
      await recordEvent(tx, { type: 'post.published', accountId, postId, data, at })
    }
  })
}
