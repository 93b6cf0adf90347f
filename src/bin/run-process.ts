import { once } from 'node:events'
import type { Pool } from 'pg'
import type { Clock } from '../platform/clock.ts'
import { connect, type Database } from '../platform/database/database.ts'
import { readMigrations } from '../platform/database/migration-files.ts'
import { programName } from '../platform/database/migrations.ts'
import { readOnlyServer } from '../platform/database/statements/prepared-statements.ts'
import { startHealthServer } from '../platform/observability/health-server.ts'
import { createLogger, type Logger } from '../platform/observability/logger.ts'
import { identityOf, startTelemetry } from '../platform/observability/telemetry.ts'
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

type RunningServer = { close(): PromiseLike<unknown> }
export type Parts = { db: Database; clock: Clock; logger: Logger; isStopping: () => boolean }

type Options = {
  name: string
  settings: ProcessSettings
  databaseUrl: string
  healthPort: number
  /** Starts the server and returns it, so that it can be closed at shutdown. */
  open: (parts: Parts) => Promise<RunningServer>
}

/**
 * Runs one process. It waits for the database, is ready when it listens, and ends within the grace period after SIGTERM.
 */
export async function runProcess({ name, settings, databaseUrl, healthPort, open }: Options): Promise<void> {
  const stop = stopSignal()
  const identity = identityOf(healthPort)
  const logger = createLogger(settings.LOG_LEVEL, name, undefined, identity)
  await using telemetry = startTelemetry({
    process: name,
    instance: identity.instance,
    otlpEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    sampleRatio: settings.OTEL_TRACES_SAMPLER_ARG,
  })
  const migrations = await readMigrations()
  await using connection = connect(databaseUrl, {
    poolMax: settings.DATABASE_POOL_MAX,
    applicationName: programName(name, migrations),
    onError: (error) => logger.warn({ error }, 'idle database connection lost'),
  })
  const environment = settings.BROADSIDE_ENVIRONMENT
  let isOpen = false
  let waitsFor = 'the process is starting'
  await using _health = await startHealthServer({
    host: settings.LISTEN_HOST,
    port: healthPort,
    telemetry,
    notReadyBecause: async () => {
      if (stop.aborted) return 'the process is stopping'
      return isOpen ? unreachable(connection.pool) : waitsFor
    },
  })
  const onFault = (fault: string) => {
    waitsFor = fault
  }
  await waitForDatabase({ pool: connection.pool, migrations, environment, logger, stop, onFault })
  if (stop.aborted) return
  await using clock = await startClock({ pool: connection.pool, environment, logger })
  const server = await open({ db: connection.db, clock, logger, isStopping: () => stop.aborted })
  isOpen = true
  logger.info('ready')
  if (!stop.aborted) await once(stop, 'abort')
  await closeWithin(settings.SHUTDOWN_GRACE_SECONDS, server, logger)
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

async function closeWithin(seconds: number, server: RunningServer, logger: Logger): Promise<void> {
  logger.info('stopping')
  const forced = setTimeout(() => {
    logger.error({ seconds }, 'shutdown grace period ended with work still in flight')
    process.exit(1)
  }, seconds * 1_000)
  await server.close()
  // The timer stays active in case connections remain open, but it must not keep the process alive.
  forced.unref()
  logger.info('stopped')
}
