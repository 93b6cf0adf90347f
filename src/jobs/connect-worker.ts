import type { ConstructorOptions, PgBoss, Warning } from 'pg-boss'
import { isDatabaseUnavailable } from '../platform/database/database.ts'
import { PreparingClient } from '../platform/database/prepared-statements.ts'
import type { Logger } from '../platform/observability/logger.ts'

/** pg-boss as a worker uses it, started. It survives the loss of its connections; only the first ones must be had. */
export async function connectWorker(url: string, options: { poolMax: number; logger: Logger }): Promise<PgBoss> {
  const boss = await makeBoss({
    connectionString: url,
    application_name: 'broadside jobs',
    max: options.poolMax,
    ...connectionLimits,
    useListenNotify: true,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: 300,
    // Jobs that wait for other jobs are not used here.
    flowIntervalSeconds: 3_600,
    // The worker may not rebuild an index, and must not try.
    reindex: false,
    // A backlog is for a dashboard to show; pg-boss would warn of it every time it looks.
    warningQueueSize: 1_000_000_000,
  })
  let refusal: string | undefined
  boss.on('error', reporterOf(options.logger))
  boss.on('warning', (warning) => {
    if (isAboutListening(warning)) refusal = warning.message
    options.logger.warn({ warning: warning.message }, 'the queue has a warning')
  })
  try {
    await boss.start()
    // It would go on without, and never try again: each job would wait for a poll.
    if (refusal) throw new Error(refusal)
    return boss
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
}

/** How often it is looked whether the worker of a running job is dead. One process looks for all of them. */
const superviseSeconds = 2

const statementTimeoutMs = 15_000

/** pg-boss hands these on to pg. As for every other pool, neither a statement nor a silent server may hold it for ever. */
const connectionLimits = {
  Client: PreparingClient,
  statement_timeout: statementTimeoutMs,
  query_timeout: statementTimeoutMs + 2_000,
  connectionTimeoutMillis: 5_000,
  keepAlive: true,
}

const isAboutListening = ({ data }: Warning) => 'type' in data && data.type === 'listen_notify_unavailable'

/** While the database is away every slot says so at every poll. Once in this time is enough. */
const quietMs = 10_000

function reporterOf(logger: Logger) {
  let isQuiet = false
  return (event: Error) => {
    // Some events are plain objects with the members of an error.
    const error = event instanceof Error ? event : Object.assign(new Error(), event)
    const isConnectionLost = isDatabaseUnavailable(error) || error.message.startsWith('LISTEN/NOTIFY')
    if (!isConnectionLost) return logger.error({ error }, 'the queue met an error')
    if (isQuiet) return
    isQuiet = true
    setTimeout(() => {
      isQuiet = false
    }, quietMs).unref()
    logger.warn({ error }, 'the queue cannot reach the database')
  }
}

/**
 * A pg-boss that creates and changes nothing of its schema, and starts only on the version that it knows. It is loaded
 * here and not at the top: that takes 50 ms, which processes and commands without a queue need not wait for.
 */
export async function makeBoss(options: ConstructorOptions): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss')
  return new PgBoss({ ...options, migrate: false, createSchema: false })
}
