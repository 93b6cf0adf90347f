import { type KeyObject, randomBytes } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { Broadside, type NewAccount } from '../../client/src/index.ts'
import type { LocalModel } from '../../model/server/local/local-model.ts'
import { gatewayProblems } from '../../src/bin/gateway/problems.ts'
import { outboundFromSettings } from '../../src/bin/outbound.ts'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import type { Operation } from '../../src/contract/define-operation.ts'
import { buildDesk } from '../../src/desk/server.ts'
import { exampleDeployment } from '../../src/documents/deployment.ts'
import { buildServer } from '../../src/http/server.ts'
import { sitesFrom } from '../../src/http/sites.ts'
import { type Kind, kinds as usualKinds } from '../../src/kinds/index.ts'
import { credit } from '../../src/ledger/deposits.ts'
import { mountMcp, type Serve } from '../../src/mcp/http-adapter.ts'
import { buildOwnerPage } from '../../src/owner-page/server.ts'
import { offsetClock } from '../../src/platform/clock.ts'
import { connect, type Database, inTransaction, type Transaction } from '../../src/platform/database/database.ts'
import { createLogger } from '../../src/platform/observability/logger.ts'
import type { PaymentService } from '../../src/platform/payments/provider.ts'
import { openSealing } from '../../src/platform/sealing.ts'
import { settings } from '../../src/platform/settings/settings.ts'
import type { Sites } from '../../src/posts/sites.ts'
import type { PageDelays } from '../../src/publishing/publishing.ts'
import { searchConnections } from '../../src/search/time-limit.ts'
import { startDnsServer, type Zone } from '../network/dns-server.ts'
import { migratedDatabase } from '../services/databases.ts'
import { newSecret } from '../services/development.ts'
import { startNginx } from '../services/nginx.ts'
import { writeContract } from '../services/stack.ts'
import { quietPort } from '../services/state.ts'
import { type OutboundSettings, settle, startModerationWorker } from './moderation-worker.ts'

export type ServiceOptions = {
  /** Also runs a worker and the model, in this process: posts are judged. */
  judges?: boolean
  /** Also has the gateway serve what derives from the contract: openapi.yml, problems/ … It takes most of a second. */
  documents?: true
  /** For how many seconds changes to a page gather; not at all when left out. */
  pageDelays?: PageDelays
  /** The models' address, if it is not a server that sees nothing but test words. */
  modelUrl?: string
  /** How long a model may take to answer, if not as usual. */
  modelTimeoutSeconds?: number
  /** What that server sees, if it is to see more. */
  local?: LocalModel
  /** The kinds of post, if not the usual ones: each gets a site. */
  kinds?: readonly Kind[]
  /** Who receivers are and how they are reached. When left out, every name leads to an address where nobody listens. */
  receivers?: { zone: Zone; certificateAuthorities?: string; refusedRanges?: string[] }
  /** The keys that seal secrets, as the setting has them; one made for the occasion when left out. */
  secretsKeys?: string
  /** How long an attempt to deliver an event may take, if not as usual. */
  attemptMs?: number
  /** Takes mail; when left out, nobody does. */
  smtpUrl?: string
  /** What the API knows the gateway by, as the setting has it; made for the occasion when left out. */
  gatewaySecrets?: string
  /** Ranges of addresses before the gateway whose X-Forwarded-For is believed; none when left out. */
  trustedProxies?: string[]
  requestsPerSecond?: number
  burst?: number
  /** How many API servers the gateway spreads the calls over, each with connections of its own; one when left out. */
  apiServers?: number
  /** Sizes of the daily allowances; one that is left out has no limit. */
  accountsPerAddress?: number
  webhookTestsPerAccount?: number
  /** How long a search may take; when left out, longer than any takes on a busy machine. */
  searchTimeoutMs?: number
  searchesPerKey?: number
  searchesPerAddress?: number
  reportsPerAddress?: number
  relaysPerAccount?: number
  /** Operations that only a test has, to try what no real one needs yet. */
  extraOperations?: readonly Operation[]
  /** Who carries out payments; nobody but the operator when left out. */
  payments?: PaymentService
  /** What answers behind the MCP door, if not the tools of the sites. */
  serveMcp?: Serve
}

export type Service = Awaited<ReturnType<typeof startService>>

/** The whole service on a database of its own: gateway, JSON door and owner page, with a clock that can be set. */
export async function startService(options: ServiceOptions = {}) {
  await using starting = new AsyncDisposableStack()
  const service = await assemble(options, starting)
  // From here on the caller lets everything go; had the start failed, this scope would have.
  const stack = starting.move()
  return { ...service, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

async function assemble(options: ServiceOptions, stack: AsyncDisposableStack) {
  const kinds = options.kinds ?? usualKinds
  const database = stack.use(await migratedDatabase('test'))
  const clock = offsetClock()
  const lines: string[] = []
  const logger = createLogger('info', 'test', { write: (line: string) => void lines.push(line) })
  const { db } = stack.use(connect(database.urls.api, { poolMax: 10, applicationName: 'test api' }))
  const operator = stack.use(connect(database.urls.operator, { poolMax: 2, applicationName: 'test operator' }))
  const owner = stack.use(connect(database.urls.migrator, { poolMax: 2, applicationName: 'test owner' }))
  const worker = stack.use(connect(database.urls.worker, { poolMax: 4, applicationName: 'test worker' }))
  const ports = await portsForGateway(kinds)
  const baseUrls = Object.fromEntries(kinds.map(({ name }, index) => [name, `http://localhost:${ports.sites[index]}`]))
  const accountPageUrl = `http://localhost:${ports.ownerPage}`
  const deskUrl = `http://localhost:${ports.desk}`
  let stopping = false
  const folder = await mkdtemp(join(tmpdir(), 'broadside-test-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  const { outboundSettings, dns } = await wayOut(stack, options, folder)
  const outbound = outboundFromSettings(outboundSettings)
  stack.defer(() => outbound.close())
  const sealing = openSealing(outboundSettings.SECRETS_KEYS)
  const { db: sideDb } = stack.use(
    connect(database.urls.api, {
      poolMax: searchConnections(10),
      applicationName: 'test api side',
      statementTimeoutMs: options.searchTimeoutMs ?? 30_000,
      commitsLater: true,
    }),
  )
  const shared = { db, clock, logger, accountPageUrl, obeysTestWords: true, isStopping: () => stopping }

  const sites = sitesFrom(kinds, baseUrls).map((site) => ({
    ...site,
    operations: [...site.operations, ...(options.extraOperations ?? [])],
  }))
  const allowances = {
    'accounts-per-address': options.accountsPerAddress ?? 0,
    'webhook-tests-per-account': options.webhookTestsPerAccount ?? 0,
    'searches-per-key': options.searchesPerKey ?? 0,
    'searches-per-address': options.searchesPerAddress ?? 0,
    'reports-per-address': options.reportsPerAddress ?? 0,
    'relays-per-account': options.relaysPerAccount ?? 0,
  }
  const gatewaySecrets = settings.GATEWAY_SECRET.parse(options.gatewaySecrets ?? newSecret())
  // The test runs on the same event loop: what it does is no reason to refuse a request.
  const load = { maxInFlight: 1_000, loopDelayMs: () => 0 }
  const mcp = mountMcp(sites, allowances, options.serveMcp)
  const apiOptions = { ...shared, sideDb, sites, mcp, allowances, sealing, outbound, gatewaySecrets, ...load }
  const api = buildServer(apiOptions)
  const ownerPageDatabase = stack.use(
    connect(database.urls.owner_page, { poolMax: 2, applicationName: 'test owner page' }),
  )
  const payments = options.payments ?? { driver: 'manual' as const, instructions: 'Send the money by post.' }
  const ownerPage = buildOwnerPage({ ...shared, db: ownerPageDatabase.db, sealing, payments, baseUrls })
  const deskDatabase = stack.use(connect(database.urls.desk, { poolMax: 4, applicationName: 'test desk' }))
  const deskSecrets = settings.DESK_SECRET.parse(newSecret())
  const desk = buildDesk({
    ...shared,
    db: deskDatabase.db,
    deskSecrets,
    deskUrl,
    sites: sitesFromSettings(baseUrls, kinds),
  })
  const [apiPort, ownerPagePort, deskPort] = [
    await listen(stack, api),
    await listen(stack, ownerPage),
    await listen(stack, desk),
  ]
  const apiPorts = [apiPort]
  while (apiPorts.length < (options.apiServers ?? 1)) {
    const own = stack.use(connect(database.urls.api, { poolMax: 10, applicationName: 'test api' }))
    apiPorts.push(await listen(stack, buildServer({ ...apiOptions, db: own.db })))
  }
  // The gateway runs as a user of its own, and must be able to go in.
  await chmod(folder, 0o755)
  const roots = join(folder, 'www')
  for (const { kind } of sites) await mkdir(join(roots, kind.site.slug), { recursive: true })
  if (options.documents) writeContract({ ...exampleDeployment, sites: baseUrls, accountPageUrl, allowances }, roots)
  const gateway = await startNginx({
    directory: join(folder, 'nginx'),
    sites: sites.map(({ kind, baseUrl }, index) => ({
      name: kind.site.slug,
      port: ports.sites[index] ?? 0,
      baseUrl,
      root: join(roots, kind.site.slug),
    })),
    ownerPage: { port: ports.ownerPage, baseUrl: accountPageUrl, upstreamPort: ownerPagePort },
    desk: { port: ports.desk, baseUrl: deskUrl, upstreamPort: deskPort },
    apiPorts,
    requestsPerSecond: options.requestsPerSecond ?? 100_000,
    burst: options.burst ?? 1_000,
    problems: gatewayProblems,
    secret: gatewaySecrets[0] as KeyObject,
    ...(options.trustedProxies && { trustedProxies: options.trustedProxies }),
    detached: false,
  })
  stack.defer(gateway.stop)

  if (options.judges)
    await startModerationWorker(stack, {
      ...{
        database,
        clock,
        logger,
        sites: sitesFromSettings(baseUrls, kinds),
        pagesDirectory: roots,
        accountPageUrl,
        deskUrl,
        payments,
      },
      outbound: outboundSettings,
      smtpUrl: options.smtpUrl ?? 'smtp://127.0.0.1:9',
      ...(options.attemptMs && { attemptMs: options.attemptMs }),
      ...(options.modelUrl && { modelUrl: options.modelUrl }),
      ...(options.modelTimeoutSeconds && { modelTimeoutSeconds: options.modelTimeoutSeconds }),
      ...(options.local && { local: options.local }),
      ...(options.pageDelays && { pageDelays: options.pageDelays }),
    })
  const baseUrl = String(baseUrls['message'])
  return {
    baseUrl,
    baseUrls,
    accountPageUrl,
    deskUrl,
    deskDb: deskDatabase.db,
    apiPort,
    apiPorts,
    sites,
    database,
    db,
    clock,
    dns,
    logLines: lines,
    api,
    gateway,
    refuseNewRequests: () => {
      stopping = true
    },
    client: (apiKey?: string, kind = 'message') =>
      new Broadside({ baseUrl: String(baseUrls[kind]), ...(apiKey && { apiKey }), maxRetries: 0 }),
    createAccount: () => createAccount(baseUrl),
    /** An account with money. */
    createCustomer: async (amountMicros = 10_000_000) => {
      const account = await createAccount(baseUrl)
      await bookCredit(operator.db, account.id, amountMicros, clock.now())
      return account
    },
    /** Waits until nothing is queued and no job is due. */
    settle: (timeoutMs?: number) => settle(worker.db, clock, timeoutMs),
    pagesDirectory: roots,
    /** Acts with the operator's rights, in one transaction. */
    asOperator: <Result>(work: (tx: Transaction, sites: Sites) => Promise<Result>) =>
      inTransaction(operator.db, (tx) => work(tx, sitesFromSettings(baseUrls, kinds))),
    /** The same with the worker's. */
    asWorker: <Result>(work: (tx: Transaction, sites: Sites) => Promise<Result>) =>
      inTransaction(worker.db, (tx) => work(tx, sitesFromSettings(baseUrls, kinds))),
    workerDb: worker.db,
    credit: (accountId: string, amountMicros: number) => bookCredit(operator.db, accountId, amountMicros, clock.now()),
    /** A statement with the schema owner's rights, for setting a stage that no door leads to. */
    asOwner: async <Row>(sql: string, values: unknown[] = []) => (await owner.pool.query(sql, values)).rows as Row[],
  }
}

/** One key of the setting SECRETS_KEYS. */
export const newSecretsKey = (name: string) => `${name}:${randomBytes(32).toString('base64')}`

/** Receivers are found by a name server of the test's own, and may be at loopback addresses. */
async function wayOut(stack: AsyncDisposableStack, { receivers, secretsKeys }: ServiceOptions, folder: string) {
  const dns = stack.use(await startDnsServer(receivers?.zone ?? { 'agent.example': { a: ['127.77.0.1'] } }))
  const authorities = receivers?.certificateAuthorities && join(folder, 'authorities.pem')
  if (authorities) await writeFile(authorities, receivers?.certificateAuthorities ?? '')
  const outboundSettings: OutboundSettings = {
    SECRETS_KEYS: settings.SECRETS_KEYS.parse(secretsKeys ?? newSecretsKey('test')),
    OUTBOUND_REFUSED_RANGES: receivers?.refusedRanges,
    OUTBOUND_DNS_SERVERS: [dns.server],
    OUTBOUND_CERTIFICATE_AUTHORITIES: authorities || undefined,
    OUTBOUND_TEST_RANGES: ['127.77.0.0/16', '203.0.113.0/24'],
  }
  return { outboundSettings, dns }
}

/** Free ports that are all different: two questions for one may get the same answer. */
async function portsForGateway(kinds: readonly Kind[]) {
  const ports = new Set<number>()
  while (ports.size < kinds.length + 2) ports.add(await quietPort())
  const [ownerPage, desk, ...sites] = ports
  return { ownerPage: Number(ownerPage), desk: Number(desk), sites }
}

async function listen(stack: AsyncDisposableStack, app: FastifyInstance): Promise<number> {
  await app.listen({ host: '127.0.0.1', port: 0 })
  stack.defer(() => app.close())
  return (app.server.address() as { port: number }).port
}

export const newcomer = { name: 'Harbour Notices', email: 'owner@example.com', accept_terms: true } as const

async function createAccount(baseUrl: string): Promise<NewAccount & { client: Broadside }> {
  const { body } = await new Broadside({ baseUrl, maxRetries: 0 }).createAccount(newcomer)
  return { ...body, client: new Broadside({ baseUrl, apiKey: body.api_key, maxRetries: 0 }) }
}

const bookCredit = (db: Database, accountId: string, amountMicros: number, at: Date) =>
  inTransaction(db, (tx) => credit(tx, { accountId, amountMicros, subject: `test:${crypto.randomUUID()}`, at }))
