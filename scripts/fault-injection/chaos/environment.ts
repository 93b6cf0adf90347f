import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { QueryResultRow } from 'pg'
import { isProblem } from '../../../clients/typescript/src/index.ts'
import type { GatewayLimits } from '../../../src/bin/gateway/limit-values.ts'
import { gatewayProblems } from '../../../src/bin/gateway/problems.ts'
import { kinds } from '../../../src/kinds/index.ts'
import { credit } from '../../../src/ledger/deposits.ts'
import { connect, inTransaction, isDatabaseUnavailable } from '../../../src/platform/database/database.ts'
import type { SettingName } from '../../../src/platform/settings/settings.ts'
import { openApiClient } from '../../../tooling/clients/api-client.ts'
import { program } from '../../../tooling/environment/processes.ts'
import { migratedDatabase, type OwnDatabase } from '../../../tooling/services/databases.ts'
import { developmentSettings } from '../../../tooling/services/development.ts'
import { firstSecret, startNginx } from '../../../tooling/services/nginx.ts'
import { isRunning, patienceMs, quietPort } from '../../../tooling/services/state.ts'
import { type Kept, keepProcess, pausePids } from './keep-process.ts'
import { startModelSwitch } from './model/model-switch.ts'

export type EnvironmentOptions = {
  /** `always-on`: a separate process that no worker starts or stops. */
  driver: 'command' | 'always-on'
  workers: number
  /** The added latency of the proxy in front of the model. */
  answerDelayMs?: number
  settings?: Partial<Record<SettingName, string>>
  /** Without it, the gateway has limits that no run reaches. */
  gatewayLimits?: GatewayLimits
  /** The file of the gateway's access log, in a folder of its user. */
  accessLog?: string
  /** The folder of the pages, if it is not one of the run's own. */
  pagesDirectory?: string
  /** The file of the program that all processes start with; this checkout's by default. */
  program?: string
  /** A database that exists already; disposed with the environment. */
  database?: OwnDatabase
  /** How the process with this name reaches the database. */
  databaseUrlOf?: (name: string, url: string) => string
}

export type Account = { id: string; apiKey: string }
export type Environment = Awaited<ReturnType<typeof openEnvironment>>

/** Two API processes behind a gateway, workers and the model, all real, on their own database and ports. */
export async function openEnvironment(options: EnvironmentOptions) {
  await using opening = new AsyncDisposableStack()
  let keepsLogs = true
  const folder = await mkdtemp(join(tmpdir(), 'broadside-chaos-'))
  opening.defer(async () => {
    if (!keepsLogs) await rm(folder, { recursive: true, force: true })
  })
  // The gateway runs as its own user and needs access to the folder.
  await chmod(folder, 0o755)
  mkdirSync(join(folder, 'logs'))
  const database = opening.use(options.database ?? (await migratedDatabase('chaos')))
  const owner = opening.use(connect(database.urls.migrator, { poolMax: 2, applicationName: 'chaos' }))
  const ports = await findPorts(options.workers)
  const baseUrls = Object.fromEntries(kinds.map(({ name }, at) => [name, `http://127.0.0.1:${ports.sites[at]}`]))
  const pagesDirectory = options.pagesDirectory ?? join(folder, 'www')
  const place = { baseUrls, ports, folder, pagesDirectory }
  const settings = { ...settingsOf(database, place), ...options.settings }
  const gateway = await openGateway(opening, place, String(settings.GATEWAY_SECRET), options)
  const modelSwitch = opening.use(
    await startModelSwitch({ port: ports.modelSwitch, modelPort: ports.model, delayMs: options.answerDelayMs ?? 0 }),
  )
  const crew = makeCrew(opening.use(new AsyncDisposableStack()), {
    ...options,
    settings,
    ports,
    logFolder: join(folder, 'logs'),
    modelSwitch,
  })
  await Promise.all([crew.startApis(), options.driver === 'always-on' ? crew.startModel() : undefined])
  const stack = opening.move()
  const baseUrl = String(baseUrls['message'])
  const modelStarts = () => readPids(join(folder, 'model.pids'))
  return {
    ...crew,
    database,
    settings,
    baseUrl,
    baseUrls,
    modelSwitch,
    gateway,
    modelUrl: `http://127.0.0.1:${ports.model}`,
    /** The model processes that the driver has started, newest last. */
    modelStarts,
    isModelRunning: () => modelStarts().some(isRunning),
    createAccounts: (count: number, amountMicros: number) => createAccounts(baseUrl, database, count, amountMicros),
    /** Only for statements that read: a lost connection repeats them. */
    query: <Row extends QueryResultRow>(sql: string, values: unknown[] = []) =>
      patiently(async () => (await owner.pool.query<Row>(sql, values)).rows),
    logFolder: join(folder, 'logs'),
    /** The logs of all processes are kept if something failed, or if the result was never checked. */
    logsIf: (isBroken: boolean) => {
      keepsLogs = isBroken
      return isBroken ? { logs: join(folder, 'logs') } : {}
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}

/** Some runs take the database away for a while. */
async function patiently<Result>(work: () => Promise<Result>): Promise<Result> {
  const deadline = performance.now() + patienceMs
  while (true) {
    try {
      return await work()
    } catch (error) {
      const isAway = isDatabaseUnavailable(error) || isProblem(error, 'unavailable')
      if (!isAway || performance.now() > deadline) throw error
      await sleep(200)
    }
  }
}

type Ports = Awaited<ReturnType<typeof findPorts>>
const apiCount = 2

async function findPorts(workers: number) {
  const given = new Set<number>()
  const port = async (): Promise<number> => {
    const found = await quietPort()
    if (given.has(found)) return port()
    given.add(found)
    return found
  }
  const several = (count: number) => Promise.all(Array.from({ length: count }, port))
  return {
    sites: await several(kinds.length),
    ownerPage: await port(),
    ownerPageUpstream: await port(),
    ownerPageHealth: await port(),
    desk: await port(),
    deskUpstream: await port(),
    deskHealth: await port(),
    apis: await several(apiCount),
    apiHealth: await several(apiCount),
    workerHealth: await several(workers),
    model: await port(),
    modelSwitch: await port(),
  }
}

type Place = { baseUrls: Record<string, string>; ports: Ports; folder: string; pagesDirectory: string }

function settingsOf({ adminUrl, urls }: OwnDatabase, { baseUrls, ports, folder, pagesDirectory }: Place) {
  return {
    ...developmentSettings(adminUrl, urls),
    BROADSIDE_ENVIRONMENT: 'test',
    SITES: Object.entries(baseUrls)
      .map((pair) => pair.join('='))
      .join(' '),
    ACCOUNT_PAGE_URL: `http://127.0.0.1:${ports.ownerPage}`,
    DESK_URL: `http://127.0.0.1:${ports.desk}`,
    PAGES_DIRECTORY: pagesDirectory,
    // Other processes use the same server, which allows 200 connections.
    DATABASE_POOL_MAX: '10',
    MODEL_PORT: String(ports.model),
    // The process records its id, so that it can be found and killed.
    MODEL_COMMAND: `echo $$ >> '${join(folder, 'model.pids')}'; exec '${process.execPath}' '${program}' model`,
  } satisfies Partial<Record<SettingName, string>>
}

async function openGateway(stack: AsyncDisposableStack, place: Place, secret: string, options: EnvironmentOptions) {
  const { gatewayLimits: limits, accessLog, settings: own = {} } = options
  const { baseUrls, ports, folder, pagesDirectory: roots } = place
  const accountPageUrl = `http://127.0.0.1:${ports.ownerPage}`
  for (const { site } of kinds) mkdirSync(join(roots, site.slug), { recursive: true })
  const gateway = await startNginx({
    directory: join(folder, 'nginx'),
    sites: kinds.map(({ name, site }, at) => ({
      name: site.slug,
      port: Number(ports.sites[at]),
      baseUrl: String(baseUrls[name]),
      root: join(roots, site.slug),
    })),
    ownerPage: { port: ports.ownerPage, baseUrl: accountPageUrl, upstreamPort: ports.ownerPageUpstream },
    desk: { port: ports.desk, baseUrl: `http://127.0.0.1:${ports.desk}`, upstreamPort: ports.deskUpstream },
    apiPorts: ports.apis,
    // This run tests the service, not its rate limit.
    requestsPerSecond: 100_000,
    burst: 1_000,
    problems: gatewayProblems,
    secret: firstSecret(secret),
    ...(limits && { limits }),
    ...(accessLog && { accessLog }),
    ...(own.PAGES_STORE === 's3' && {
      store: { endpoints: [String(own.PAGES_S3_ENDPOINT)], bucket: String(own.PAGES_S3_BUCKET), authorities: '' },
    }),
    detached: false,
  })
  stack.defer(gateway.stop)
  return {
    name: 'gateway',
    command: 'gateway',
    pids: gateway.pids,
    pause: (durationMs: number) => pausePids(gateway.pids(), sleep(durationMs)),
  }
}

type CrewOptions = Pick<EnvironmentOptions, 'databaseUrlOf' | 'program'> & {
  settings: Partial<Record<SettingName, string>>
  ports: Ports
  logFolder: string
  driver: EnvironmentOptions['driver']
  modelSwitch: { url: (caller: string) => string }
}

/** The processes, each started on demand. */
function makeCrew(stack: AsyncDisposableStack, options: CrewOptions) {
  const { settings, ports, logFolder, driver, modelSwitch, databaseUrlOf = (_, url) => url } = options
  const apis: Kept[] = []
  const workers: Kept[] = []
  const models: Kept[] = []
  const all: Kept[] = []
  // Together, because each finishes its work and closes its connections first.
  stack.defer(async () => void (await Promise.all(all.map((one) => one[Symbol.asyncDispose]()))))
  const keep = (name: string, command: string, readyUrl: string, own: Partial<Record<SettingName, string>>) => {
    const databases = {
      API_DATABASE_URL: databaseUrlOf(name, String(settings.API_DATABASE_URL)),
      WORKER_DATABASE_URL: databaseUrlOf(name, String(settings.WORKER_DATABASE_URL)),
    }
    const complete = { ...settings, ...databases, ...own }
    const kept = keepProcess({ name, command, readyUrl, logFolder, settings: complete, program: options.program })
    all.push(kept)
    return kept
  }
  const untilUp = async (processes: readonly Kept[]) => void (await Promise.all(processes.map((one) => one.untilUp())))
  return {
    apis,
    workers,
    models,
    apiPorts: ports.apis,
    /** The metrics address of each API process. */
    metricsUrls: ports.apiHealth.map((health) => `http://127.0.0.1:${health}/metrics`),
    workerMetricsUrl: `http://127.0.0.1:${ports.workerHealth[0]}/metrics`,
    startApis: async () => {
      for (const [at, health] of ports.apiHealth.entries()) {
        const own = { API_PORT: String(ports.apis[at]), API_HEALTH_PORT: String(health) }
        apis.push(keep(`api-${at + 1}`, 'api', `http://127.0.0.1:${health}/readyz`, own))
      }
      await untilUp(apis)
    },
    startWorkers: async () => {
      for (const [at, health] of ports.workerHealth.entries()) {
        const name = `worker-${at + 1}`
        const url = modelSwitch.url(name)
        const own = { WORKER_HEALTH_PORT: String(health), MODEL_URL: url, JUDGE_URL: url, MODEL_DRIVER: driver }
        workers.push(keep(name, 'worker', `http://127.0.0.1:${health}/readyz`, own))
      }
      await untilUp(workers)
    },
    startOwnerPage: async (): Promise<Kept> => {
      const own = {
        OWNER_PAGE_PORT: String(ports.ownerPageUpstream),
        OWNER_PAGE_HEALTH_PORT: String(ports.ownerPageHealth),
      }
      const kept = keep('owner-page', 'owner-page', `http://127.0.0.1:${ports.ownerPageHealth}/readyz`, own)
      await kept.untilUp()
      return kept
    },
    startDesk: async (): Promise<Kept> => {
      const own = { DESK_PORT: String(ports.deskUpstream), DESK_HEALTH_PORT: String(ports.deskHealth) }
      const kept = keep('desk', 'desk', `http://127.0.0.1:${ports.deskHealth}/readyz`, own)
      await kept.untilUp()
      return kept
    },
    startModel: async () => {
      models.push(keep('model', 'model', `http://127.0.0.1:${ports.model}/healthz`, {}))
      await untilUp(models)
    },
    untilAllUp: () => untilUp([...apis, ...workers]),
    /** Processes that exited without being killed. */
    deaths: () => [...apis, ...workers].flatMap(({ deaths }) => deaths),
  }
}

const readPids = (file: string) =>
  existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n').filter(Boolean).map(Number) : []

const newcomer = { name: 'Harbour Notices', email: 'owner@example.com', accept_terms: true } as const

async function createAccounts(baseUrl: string, { urls }: OwnDatabase, count: number, amountMicros: number) {
  await using operator = connect(urls.operator, { poolMax: 1, applicationName: 'chaos operator' })
  const accounts: Account[] = []
  for (let number = 1; number <= count; number++) {
    const { body } = await patiently(() => openApiClient({ baseUrl }).createAccount(newcomer))
    const booking = { accountId: body.id, amountMicros, subject: `chaos:${body.id}`, at: new Date() }
    // The subject is unique, so a repetition after a lost acknowledgement books nothing.
    await patiently(() => inTransaction(operator.db, (tx) => credit(tx, booking)))
    accounts.push({ id: body.id, apiKey: body.api_key })
  }
  return accounts
}
