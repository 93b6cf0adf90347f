import type { ConstructorOptions, PgBoss, Warning } from 'pg-boss'
import {
  type CountedPool,
  connectTimeoutMs,
  isDatabaseUnavailable,
  observePool,
  probing,
} from '../platform/database/database.ts'
import { PreparingClient } from '../platform/database/statements/prepared-statements.ts'
import type { Logger } from '../platform/observability/logger.ts'

const applicationName = 'broadside jobs'

/** Starts pg-boss for a worker. It survives lost connections, but the first connections must succeed. */
export async function connectWorker(url: string, options: { poolMax: number; logger: Logger }): Promise<PgBoss> {
  const boss = await makeBoss({
    connectionString: url,
    application_name: applicationName,
    max: options.poolMax,
    ...connectionLimits,
    connectionTimeoutMillis: connectTimeoutMs(url),
    useListenNotify: true,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: 300,
    // No job here depends on another job.
    flowIntervalSeconds: 3_600,
    // The worker's database role cannot rebuild indexes.
    reindex: false,
    // Dashboards show backlogs; pg-boss would log a warning on every check.
    warningQueueSize: 1_000_000_000,
  })
  let refusal: string | undefined
  boss.on('error', reporterOf(options.logger))
  boss.on('warning', (warning) => {
    if (isAboutListening(warning)) refusal = warning.message
    options.logger.warn({ warning: warning.message }, 'job queue warning')
  })
  try {
    await boss.start()
    // If LISTEN failed, pg-boss would continue without it and never retry, and each job would wait for a poll.
    if (refusal) throw new Error(refusal)
    observeOwnPool(boss, options.poolMax)
    return boss
  } catch (error) {
    await boss.stop({ graceful: false })
    throw error
  }
}

/** pg-boss opens its pool itself and has no method that returns it. */
function observeOwnPool(boss: PgBoss, poolMax: number): void {
  const { pool } = boss.getDb() as { pool?: CountedPool }
  if (!pool) return
  const observing = observePool(pool, { applicationName, poolMax })
  boss.once('stopped', () => observing[Symbol.dispose]())
}

/** How often to check for dead workers. One process checks for all. */
const superviseSeconds = 2

const statementTimeoutMs = 15_000

/** pg-boss passes these options to pg. As in every pool, no statement or unresponsive server can block it forever. */
const connectionLimits = {
  Client: PreparingClient,
  statement_timeout: statementTimeoutMs,
  query_timeout: statementTimeoutMs + 2_000,
  ...probing,
}

const isAboutListening = ({ data }: Warning) => 'type' in data && data.type === 'listen_notify_unavailable'

function reporterOf(logger: Logger) {
  return (event: Error) => {
    // Some events are plain objects with the fields of an error.
    const error = event instanceof Error ? event : Object.assign(new Error(), event)
    const isConnectionLost = isDatabaseUnavailable(error) || error.message.startsWith('LISTEN/NOTIFY')
    if (!isConnectionLost) return logger.error({ error }, 'job queue error')
    logger.warn({ error }, 'the job queue cannot reach the database')
  }
}

/**
 * A pg-boss that never creates or changes its schema, and starts only with the schema version that it expects. It is
 * imported here because that takes 50 ms, which would delay processes and commands that use no queue.
 */
export async function makeBoss(options: ConstructorOptions): Promise<PgBoss> {
  const { PgBoss } = await import('pg-boss')
  return new PgBoss({ ...options, migrate: false, createSchema: false })
}
