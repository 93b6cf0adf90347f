import type { KeyObject } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { NewAccount } from '../../clients/typescript/src/index.ts'
import { gatewayProblems } from '../../src/bin/gateway/problems.ts'
import { outboundFromSettings } from '../../src/bin/outbound.ts'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { buildDesk } from '../../src/desk/server.ts'
import { exampleDeployment } from '../../src/documents/deployment.ts'
import { buildServer } from '../../src/http/server.ts'
import { sitesFrom } from '../../src/http/sites.ts'
import { type Kind, kinds as usualKinds } from '../../src/kinds/index.ts'
import { credit } from '../../src/ledger/deposits.ts'
import { byTokenOrKey } from '../../src/mcp/authenticate-app.ts'
import { mountCommonMcp, mountMcp } from '../../src/mcp/http-adapter.ts'
import { openClientDocuments } from '../../src/oauth/clients/metadata-documents.ts'
import { buildOwnerPage } from '../../src/owner-page/server.ts'
import { offsetClock } from '../../src/platform/clock.ts'
import { connect, type Database, inTransaction, type Transaction } from '../../src/platform/database/database.ts'
import { createLogger } from '../../src/platform/observability/logger.ts'
import { openReplica, primaryReader, type Reader } from '../../src/platform/replica.ts'
import { openSealing } from '../../src/platform/sealing.ts'
import { settings } from '../../src/platform/settings/settings.ts'
import type { Sites } from '../../src/posts/sites.ts'
import { searchConnections } from '../../src/search/time-limit.ts'
import { type ApiClient, openApiClient } from '../clients/api-client.ts'
import { testOperator } from '../fixtures/operator.ts'
import { migratedDatabase } from '../services/databases.ts'
import { newSecret } from '../services/development.ts'
import { startNginx } from '../services/nginx.ts'
import { writeContract } from '../services/stack.ts'
import { quietPort } from '../services/state.ts'
import { type Signing, settle, startModerationWorker } from './moderation-worker.ts'
import { allowancesFrom, type ServiceOptions } from './service-options.ts'
import { startCards } from './start-cards.ts'
import { wayOut } from './way-out.ts'

export type { ServiceOptions } from './service-options.ts'
export { newSecretsKey } from './way-out.ts'

export type Service = Awaited<ReturnType<typeof startService>>

/** The whole service on its own database: gateway, JSON API and owner page, with an adjustable clock. */
export async function startService(options: ServiceOptions = {}) {
  await using starting = new AsyncDisposableStack()
  const service = await assemble(options, starting)
  // From here on, the caller disposes everything. If the start fails earlier, this scope does.
  const stack = starting.move()
  return { ...service, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

async function assemble(options: ServiceOptions, stack: AsyncDisposableStack) {
  const kinds = options.kinds ?? usualKinds
  const database = options.database ?? stack.use(await migratedDatabase('test'))
  const clock = offsetClock()
  const lines: string[] = []
  const logger = createLogger('info', 'test', { write: (line: string) => void lines.push(line) })
  const { db } = stack.use(connect(database.urls.api, { poolMax: 10, applicationName: 'test api' }))
  const operator = stack.use(connect(database.urls.operator, { poolMax: 2, applicationName: 'test operator' }))
  const owner = stack.use(connect(database.urls.migrator, { poolMax: 2, applicationName: 'test owner' }))
  const asWorker = stack.use(connect(database.urls.worker, { poolMax: 4, applicationName: 'test worker' }))
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
  const readerOf = (role: 'api' | 'desk', primary: Database, fallback = primary): Reader => {
    if (!options.replica) return primaryReader(fallback, clock)
    const { [role]: url, maxLagSeconds } = options.replica
    return stack.use(
      openReplica({
        ...{
          url,
          maxLagSeconds,
          primary,
          fallback,
          clock,
          logger,
          poolMax: 2,
          applicationName: `test ${role} replica`,
        },
      }),
    )
  }
  const shared = { db, clock, logger, accountPageUrl, obeysTestWords: true, isStopping: () => stopping }

  const sites = sitesFrom(kinds, baseUrls).map((site) => ({
    ...site,
    operations: [...site.operations, ...(options.extraOperations ?? [])],
  }))
  const allowances = allowancesFrom(options)
  const gatewaySecrets = settings.GATEWAY_SECRET.parse(options.gatewaySecrets ?? newSecret())
  // The test shares the event loop, so its own work must not cause load shedding.
  const load = { maxInFlight: 1_000, loopDelayMs: () => 0 }
  const mcpEndpoints = {
    mcp: mountMcp(sites, allowances, options.serveMcp),
    commonMcp: mountCommonMcp({
      ...{ sites, accountPageUrl, allowances, authentication: byTokenOrKey(accountPageUrl) },
      ...options.commonMcp,
    }),
  }
  const apiOptions = {
    ...shared,
    ...mcpEndpoints,
    sideDb,
    searchReader: readerOf('api', db, sideDb),
    sites,
    allowances,
    sealing,
    outbound,
    gatewaySecrets,
    streamTiming: options.streamTiming,
    ...load,
  }
  const api = buildServer(apiOptions)
  const ownerPageDatabase = stack.use(
    connect(database.urls.owner_page, { poolMax: 2, applicationName: 'test owner page' }),
  )
  const payments = options.payments ?? { driver: 'manual' as const, instructions: 'Send the money by post.' }
  const own = {
    db: ownerPageDatabase.db,
    operator: testOperator,
    sealing,
    payments,
    baseUrls,
    documents: openClientDocuments(outbound, logger),
  }
  const ownerPage = buildOwnerPage({ ...shared, ...own })
  const deskDatabase = stack.use(connect(database.urls.desk, { poolMax: 4, applicationName: 'test desk' }))
  const deskSecrets = settings.DESK_SECRET.parse(newSecret())
  const desk = buildDesk({
    ...shared,
    db: deskDatabase.db,
    statisticsReader: readerOf('desk', deskDatabase.db),
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
  // The gateway runs as its own user and needs access to the folder.
  await chmod(folder, 0o755)
  const roots = join(folder, 'www')
  for (const { kind } of sites) await mkdir(join(roots, kind.site.slug), { recursive: true })
  if (options.documents) writeContract({ ...exampleDeployment, sites: baseUrls, accountPageUrl, allowances }, roots)
  const pages = options.pages ?? { directory: roots }
  const gateway = await startNginx({
    ...(options.cards && { cardsPort: await startCards(stack, { painter: options.cards, pages, logger }) }),
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
    ...(options.gatewayLimits && { limits: options.gatewayLimits }),
    ...('s3' in pages && {
      store: {
        endpoints: [pages.s3.endpoint],
        bucket: pages.s3.bucket,
        authorities: '/etc/ssl/certs/ca-certificates.crt',
      },
    }),
    ...(options.trustedProxies && { trustedProxies: options.trustedProxies }),
    detached: false,
  })
  stack.defer(gateway.stop)

  let worker = new AsyncDisposableStack()
  stack.defer(() => worker.disposeAsync())
  const startWorker = (signing?: Signing) =>
    startModerationWorker(worker, {
      ...{ database, clock, logger, accountPageUrl, deskUrl, payments },
      sites: sitesFromSettings(baseUrls, kinds),
      pages,
      outbound: outboundSettings,
      smtpUrl: options.smtpUrl ?? 'smtp://127.0.0.1:9',
      ...(options.attemptMs && { attemptMs: options.attemptMs }),
      ...(options.modelUrl && { modelUrl: options.modelUrl }),
      ...(options.modelTimeoutSeconds && { modelTimeoutSeconds: options.modelTimeoutSeconds }),
      ...(options.local && { local: options.local }),
      ...(options.pageDelays && { pageDelays: options.pageDelays }),
      ...{ erasureLog: options.erasureLog, signing },
    })
  if (options.judges) await startWorker()
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
      openApiClient({ baseUrl: String(baseUrls[kind]), ...(apiKey && { apiKey }), maxRetries: 0 }),
    createAccount: () => createAccount(baseUrl),
    /** An account with balance. */
    createCustomer: async (amountMicros = 10_000_000) => {
      const account = await createAccount(baseUrl)
      await bookCredit(operator.db, account.id, amountMicros, clock.now())
      return account
    },
    /** Waits until nothing is queued and no job is due. */
    settle: (timeoutMs?: number) => settle(asWorker.db, clock, timeoutMs),
    pagesDirectory: roots,
    /** The page store that the worker writes to. */
    pages,
    /** Acts as the operator, in one transaction. */
    asOperator: <Result>(work: (tx: Transaction, sites: Sites) => Promise<Result>) =>
      inTransaction(operator.db, (tx) => work(tx, sitesFromSettings(baseUrls, kinds))),
    /** Acts as the worker, in one transaction. */
    asWorker: <Result>(work: (tx: Transaction, sites: Sites) => Promise<Result>) =>
      inTransaction(asWorker.db, (tx) => work(tx, sitesFromSettings(baseUrls, kinds))),
    workerDb: asWorker.db,
    /** Stops the worker, and starts another one with other keys or another log. */
    replaceWorker: async (signing: Signing, meanwhile: () => Promise<void>) => {
      await worker.disposeAsync()
      await meanwhile()
      worker = new AsyncDisposableStack()
      await startWorker(signing)
    },
    credit: (accountId: string, amountMicros: number) => bookCredit(operator.db, accountId, amountMicros, clock.now()),
    /** Runs a statement as the schema owner, for fixtures that no interface can create. */
    asOwner: async <Row>(sql: string, values: unknown[] = []) => (await owner.pool.query(sql, values)).rows as Row[],
  }
}

/** Distinct free ports. Two separate requests for a port could return the same one. */
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

async function createAccount(baseUrl: string): Promise<NewAccount & { client: ApiClient }> {
  const { body } = await openApiClient({ baseUrl, maxRetries: 0 }).createAccount(newcomer)
  return { ...body, client: openApiClient({ baseUrl, apiKey: body.api_key, maxRetries: 0 }) }
}

const bookCredit = (db: Database, accountId: string, amountMicros: number, at: Date) =>
  inTransaction(db, (tx) => credit(tx, { accountId, amountMicros, subject: `test:${crypto.randomUUID()}`, at }))
