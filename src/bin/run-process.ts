import { once } from 'node:events'
import type { Pool } from 'pg'
import type { DestinationStream } from 'pino'
import type { Clock } from '../platform/clock.ts'
import { connect, type Database } from '../platform/database/database.ts'
import { readMigrations } from '../platform/database/migration-files.ts'
import { programName } from '../platform/database/migrations.ts'
import { readOnlyServer } from '../platform/database/statements/prepared-statements.ts'
import { startHealthServer } from '../platform/observability/health-server.ts'
import { createLogger, type Logger } from '../platform/observability/logger.ts'
import { identityOf, openTelemetry, type Telemetry } from '../platform/observability/telemetry.ts'
import type { Settings } from '../platform/settings/settings.ts'
import { startClock } from './development-clock.ts'
import { waitForDatabase } from './startup/wait-for-database.ts'

/** Settings for every long-running process. */
export const processSettings = [
  'BROADSIDE_ENVIRONMENT',
  'SITES',
  'ACCOUNT_PAGE_URL',
  'DATABASE_POOL_MAX',
  'LISTEN_HOST',
  'SHUTDOWN_GRACE_SECONDS',
  'LOG_LEVEL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_TRACES_SAMPLER_ARG',
] as const

export type ProcessSettings = Settings<(typeof processSettings)[number]>

/** How a process is opened. Production chooses only the signal; tests open several processes in one. */
export type Surroundings = {
  /** Aborted when the process must stop: from then on it is not ready, and refuses new requests. */
  stop: AbortSignal
  /** Default: the system clock, or outside production the development clock. */
  clock?: Clock
  /** Receives the log lines. Default: standard output. */
  logTo?: DestinationStream
}

type Observed = {
  name: string
  settings: Settings<'LISTEN_HOST' | 'LOG_LEVEL'> &
    Partial<Settings<'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_TRACES_SAMPLER_ARG' | 'SHUTDOWN_GRACE_SECONDS'>>
  /** Serves /healthz, /readyz and /metrics. */
  healthPort: number
  servesHealthItself?: boolean
  /** The process that its metrics are about. Default: itself. */
  measures?: string
}

type ObservedParts = {
  logger: Logger
  telemetry: Telemetry
  /** Releases what the process uses, in reverse order. */
  stack: AsyncDisposableStack
  /** Replaces the check of /readyz. */
  readyUnless: (reason: () => Promise<string | null>) => void
}

export type Opened = { logger: Logger; graceSeconds: number } & AsyncDisposable

/** Opens a process that needs no database: its log, its telemetry and its health checks come first. */
export async function openProcess<Served extends object>(
  { name, settings, healthPort, servesHealthItself, measures = name }: Observed,
  { stop, logTo }: Surroundings,
  open: (parts: ObservedParts) => Promise<Served>,
): Promise<Served & Opened> {
  await using starting = new AsyncDisposableStack()
  const { instance, version } = identityOf(healthPort)
  const logger = createLogger(settings.LOG_LEVEL, name, logTo, { instance, version })
  const { OTEL_EXPORTER_OTLP_ENDPOINT: otlpEndpoint, OTEL_TRACES_SAMPLER_ARG: sampleRatio } = settings
  const telemetry = starting.use(openTelemetry({ process: measures, instance, otlpEndpoint, sampleRatio }))
  let reason: () => Promise<string | null> = async () => 'the process is starting'
  const notReadyBecause = async () => (stop.aborted ? 'the process is stopping' : reason())
  if (!servesHealthItself)
    starting.use(await startHealthServer({ host: settings.LISTEN_HOST, port: healthPort, telemetry, notReadyBecause }))
  const readyUnless = (check: typeof reason) => {
    reason = check
  }
  const served = await open({ logger, telemetry, stack: starting, readyUnless })
  logger.info('ready')
  const stack = starting.move()
  const graceSeconds = settings.SHUTDOWN_GRACE_SECONDS ?? 10
  return { ...served, logger, graceSeconds, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

export type Parts = { db: Database; clock: Clock; logger: Logger; isStopping: () => boolean }

/** Opens a process of the service. It waits for the database, and is ready when it listens. */
export function openServiceProcess<Served extends object>(
  { databaseUrl, ...definition }: Observed & { settings: ProcessSettings; databaseUrl: string },
  surroundings: Surroundings,
  open: (parts: Parts & { stack: AsyncDisposableStack }) => Promise<Served>,
): Promise<Served & Opened> {
  const { name, settings } = definition
  const { stop } = surroundings
  return openProcess(definition, surroundings, async ({ logger, stack, readyUnless }) => {
    const migrations = await readMigrations()
    const { db, pool } = stack.use(
      connect(databaseUrl, {
        poolMax: settings.DATABASE_POOL_MAX,
        applicationName: programName(name, migrations),
        onError: (error) => logger.warn({ error }, 'idle database connection lost'),
      }),
    )
    const environment = settings.BROADSIDE_ENVIRONMENT
    const onFault = (fault: string) => readyUnless(async () => fault)
    await waitForDatabase({ pool, migrations, environment, logger, stop, onFault })
    stop.throwIfAborted()
    const clock = surroundings.clock ?? stack.use(await startClock({ pool, environment, logger }))
    const served = await open({ db, clock, logger, stack, isStopping: () => stop.aborted })
    readyUnless(() => unreachable(pool))
    return served
  })
}

type Address = { host: string; port: number }
type Server = { listen: (address: Address) => PromiseLike<unknown>; close: () => PromiseLike<unknown> }

/** Listens until the stack is disposed. */
export async function listen<App extends Server>(stack: AsyncDisposableStack, app: App, address: Address) {
  stack.defer(async () => void (await app.close()))
  await app.listen(address)
  return { app }
}

/** Runs a process until SIGTERM or until another signal is aborted. It ends within its grace period. */
export async function runProcess(open: (surroundings: Surroundings) => Promise<Opened>, ...others: AbortSignal[]) {
  const stop = AbortSignal.any([stopSignal(), ...others])
  try {
    const running = await open({ stop })
    if (!stop.aborted) await once(stop, 'abort')
    await closeWithin(running)
  } catch (error) {
    // It was stopped while it was starting.
    if (!stop.aborted || error !== stop.reason) throw error
  }
}

function stopSignal(): AbortSignal {
  const controller = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => controller.abort())
  return controller.signal
}

async function unreachable(pool: Pool): Promise<string | null> {
  const answered = pool.query('select 1').then(() => null)
  const late = new Promise<string>((resolve) => setTimeout(resolve, 1_000, 'the database does not respond').unref())
  return Promise.race([
    answered.catch(({ message }) =>
      message === readOnlyServer ? 'the database accepts no writes' : 'the database cannot be reached',
    ),
    late,
  ])
}

async function closeWithin({ graceSeconds: seconds, logger, ...running }: Opened): Promise<void> {
  logger.info('stopping')
  const forced = setTimeout(() => {
    logger.error({ seconds }, 'shutdown grace period ended with work still in flight')
    process.exit(1)
  }, seconds * 1_000)
  await running[Symbol.asyncDispose]()
  // The timer stays active in case connections remain open, but it must not keep the process alive.
  forced.unref()
  logger.info('stopped')
}
