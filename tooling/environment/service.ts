import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { NewAccount } from '../../clients/typescript/src/index.ts'
import { openApi } from '../../src/bin/commands/processes/api.ts'
import { openCards } from '../../src/bin/commands/processes/cards.ts'
import { openDesk } from '../../src/bin/commands/processes/desk.ts'
import { openModel } from '../../src/bin/commands/processes/model.ts'
import { openOwnerPage } from '../../src/bin/commands/processes/owner-page.ts'
import { openWorker } from '../../src/bin/commands/processes/worker.ts'
import { gatewayProblems } from '../../src/bin/gateway/problems.ts'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { exampleDeployment } from '../../src/documents/deployment.ts'
import { kinds as usualKinds } from '../../src/kinds/index.ts'
import { credit } from '../../src/ledger/deposits.ts'
import { offsetClock } from '../../src/platform/clock.ts'
import { connect, type Database, inTransaction, type Transaction } from '../../src/platform/database/database.ts'
import { pagesPlaceFrom, pagesSettings } from '../../src/platform/page-store/pages-settings.ts'
import { readSettings } from '../../src/platform/settings/settings.ts'
import type { Sites } from '../../src/posts/sites.ts'
import { type ApiClient, openApiClient } from '../clients/api-client.ts'
import { quietModel } from '../models/stub-models.ts'
import { migratedDatabase } from '../services/databases.ts'
import { firstSecret, startNginx } from '../services/nginx.ts'
import { writeContract } from '../services/stack.ts'
import { quietPort } from '../services/state.ts'
import type { TestSettings } from './processes.ts'
import { allowancesFrom, type ServiceOptions } from './service-options.ts'
import { portsForGateway, serviceSettings, startReceiversDns } from './service-settings.ts'
import { settle } from './settle.ts'

export type { ServiceOptions } from './service-options.ts'
export { newSecretsKey } from './service-settings.ts'

export type Service = Awaited<ReturnType<typeof startService>>

/** The whole service on its own database: gateway, JSON API and owner page, with an adjustable clock. */
export async function startService(options: ServiceOptions = {}) {
  await using starting = new AsyncDisposableStack()
  const service = await open(options, starting)
  // From here on, the caller disposes everything. If the start fails earlier, this scope does.
  const stack = starting.move()
  return { ...service, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

async function open(options: ServiceOptions, stack: AsyncDisposableStack) {
  const kinds = options.kinds ?? usualKinds
  const database = options.database ?? stack.use(await migratedDatabase('test'))
  const folder = await mkdtemp(join(tmpdir(), 'broadside-test-'))
  stack.defer(() => rm(folder, { recursive: true, force: true }))
  // The gateway runs as its own user and needs access to the folder.
  await chmod(folder, 0o755)
  const roots = join(folder, 'www')
  for (const { site } of kinds) await mkdir(join(roots, site.slug), { recursive: true })
  const dns = stack.use(await startReceiversDns(options))
  const ports = await portsForGateway(kinds)
  const settings = await serviceSettings(options, { database, kinds, ports, folder, dnsServer: dns.server })
  const { SITES: baseUrls, ACCOUNT_PAGE_URL: accountPageUrl, DESK_URL: deskUrl } = readSettings(settings, origins)

  const clock = offsetClock()
  const lines: string[] = []
  const stopping = new AbortController()
  const logTo = { write: (line: string) => void lines.push(line) }
  const surroundings = { stop: stopping.signal, clock, logTo }
  const allowances = allowancesFrom(options)
  const startApi = async (place: TestSettings) =>
    stack.use(
      await openApi({ ...settings, ...place }, surroundings, {
        ...options,
        kinds,
        allowances,
        searchMs: options.searchTimeoutMs ?? 30_000,
        // The test shares the event loop, so its own work must not cause load shedding.
        loopDelayMs: () => 0,
      }),
    )
  const { app: api, sites } = await startApi({})
  const apiPorts = [Number(settings.API_PORT)]
  while (apiPorts.length < (options.apiServers ?? 1)) {
    const [port, healthPort] = [await quietPort(), await quietPort()]
    await startApi({ API_PORT: String(port), API_HEALTH_PORT: String(healthPort) })
    apiPorts.push(port)
  }
  stack.use(await openOwnerPage(settings, surroundings, options))
  stack.use(await openDesk(settings, surroundings, { kinds }))
  if (options.cards) stack.use(await openCards(settings, surroundings, { painter: options.cards }))
  if (options.judges && !options.settings?.MODEL_URL)
    stack.use(await openModel(settings, surroundings, { local: options.local ?? quietModel, slowMs: 200 }))

  if (options.documents) {
    const all = { 'accounts-per-address': options.accountsPerAddress ?? 0, ...allowances }
    writeContract({ ...exampleDeployment, sites: baseUrls, accountPageUrl, allowances: all }, roots)
  }
  const pages = pagesPlaceFrom(readSettings(settings, pagesSettings))
  const gateway = await startNginx({
    ...(options.cards && { cardsPort: Number(settings.CARDS_PORT) }),
    directory: join(folder, 'nginx'),
    sites: sites.map(({ kind, baseUrl }, index) => ({
      name: kind.site.slug,
      port: ports.sites[index] ?? 0,
      baseUrl,
      root: join(roots, kind.site.slug),
    })),
    ownerPage: { port: ports.ownerPage, baseUrl: accountPageUrl, upstreamPort: Number(settings.OWNER_PAGE_PORT) },
    desk: { port: ports.desk, baseUrl: deskUrl, upstreamPort: Number(settings.DESK_PORT) },
    apiPorts,
    requestsPerSecond: options.requestsPerSecond ?? 100_000,
    burst: options.burst ?? 1_000,
    problems: gatewayProblems,
    secret: firstSecret(String(settings.GATEWAY_SECRET)),
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

  const connectAs = (role: keyof typeof database.urls) =>
    stack.use(connect(database.urls[role], { poolMax: 10, applicationName: `test ${role}` }))
  const [operator, owner, asWorker] = [connectAs('operator'), connectAs('migrator'), connectAs('worker')]
  let worker = new AsyncDisposableStack()
  stack.defer(() => worker.disposeAsync())
  const startWorker = async (changes: TestSettings = {}) =>
    worker.use(
      await openWorker({ ...settings, ...changes }, surroundings, {
        kinds,
        ...(options.payments && { payments: options.payments }),
        // No random audits: a test that needs one creates it.
        draw: () => 1,
        pace: {
          ...{ tickMs: 100, watchMs: 100, delivery: { first: 50, again: 100, attemptMs: options.attemptMs ?? 15_000 } },
          pageDelays: options.pageDelays ?? { lists: 0, others: 0 },
        },
      }),
    )
  if (options.judges) await startWorker()
  const baseUrl = String(baseUrls['message'])
  return {
    baseUrl,
    baseUrls,
    accountPageUrl,
    deskUrl,
    /** What its processes were opened with, for those that a test opens beside them. */
    settings,
    surroundings,
    deskDb: connectAs('desk').db,
    apiPort: Number(settings.API_PORT),
    apiPorts,
    sites,
    database,
    db: connectAs('api').db,
    clock,
    dns,
    logLines: lines,
    api,
    gateway,
    refuseNewRequests: () => stopping.abort(),
    client: (apiKey?: string, kind = 'message') =>
      openApiClient({ baseUrl: String(baseUrls[kind]), ...(apiKey && { apiKey }), maxRetries: 0 }),
    createAccount: () => createAccount(baseUrl),
    /** An account with balance. */
    createCustomer: async (amountMicros = 10_000_000) => {
      const account = await createAccount(baseUrl)
      await bookCredit(operator.db, account.id, amountMicros, clock.now())
      return account
    },
    /** The metrics of all its processes. */
    readMetrics: async () => (await fetch(`http://127.0.0.1:${settings.API_HEALTH_PORT}/metrics`)).text(),
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
    /** Stops the worker, and starts another one with other settings. */
    replaceWorker: async (changes: TestSettings, meanwhile: () => Promise<void>) => {
      await worker.disposeAsync()
      await meanwhile()
      worker = new AsyncDisposableStack()
      await startWorker(changes)
    },
    credit: (accountId: string, amountMicros: number) => bookCredit(operator.db, accountId, amountMicros, clock.now()),
    /** Runs a statement as the schema owner, for fixtures that no interface can create. */
    asOwner: async <Row>(sql: string, values: unknown[] = []) => (await owner.pool.query(sql, values)).rows as Row[],
  }
}

const origins = ['SITES', 'ACCOUNT_PAGE_URL', 'DESK_URL'] as const

export const newcomer = { name: 'Harbour Notices', email: 'owner@example.com', accept_terms: true } as const

async function createAccount(baseUrl: string): Promise<NewAccount & { client: ApiClient }> {
  const { body } = await openApiClient({ baseUrl, maxRetries: 0 }).createAccount(newcomer)
  return { ...body, client: openApiClient({ baseUrl, apiKey: body.api_key, maxRetries: 0 }) }
}

const bookCredit = (db: Database, accountId: string, amountMicros: number, at: Date) =>
  inTransaction(db, (tx) => credit(tx, { accountId, amountMicros, subject: `test:${crypto.randomUUID()}`, at }))
