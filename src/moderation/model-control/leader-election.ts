import { sql } from 'kysely'
import { withAdvisoryLock } from '../../platform/database/advisory-lock.ts'
import { connect, type Database } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import { pause, repeatUntil } from '../../platform/repeat.ts'

type Options = {
  databaseUrl: string
  /** Ends the campaign, and the leadership if this process has it. */
  signal: AbortSignal
  /** Runs while this process is the leader, and must run all its statements on the connection that holds the lock. */
  serve: (db: Database) => Promise<void>
  /** Called repeatedly while another process is the leader. */
  onFollower: () => Promise<void>
  logger: Logger
  retryMs?: number | undefined
}

/**
 * Only one of the processes that call this is the leader at any time. The lock lasts as long as one connection, and the leader writes only over that connection: a leader that has lost it cannot write and learns this from the failed write. As with LISTEN, there must be no transaction pooler in between.
 */
export function runAsLeader(options: Options): Promise<void> {
  const { signal, logger, retryMs = 1_000 } = options
  return repeatUntil(signal, {
    everyMs: retryMs,
    work: () => campaign({ ...options, retryMs }),
    onError: (error) => {
      if (!signal.aborted) logger.warn({ error }, 'model controller lost its database connection')
    },
  })
}

/** Each attempt uses one connection; when it ends, the connection closes and releases the lock. */
async function campaign({
  databaseUrl,
  signal,
  serve,
  onFollower,
  retryMs,
}: Options & { retryMs: number }): Promise<void> {
  await using connection = connect(databaseUrl, {
    poolMax: 1,
    applicationName: 'broadside model controller',
    statementTimeoutMs: 2_000,
  })
  await connection.db.connection().execute(async (db) => {
    await noticeLostPeer.execute(db)
    while (!signal.aborted) {
      const lead = (connection: Database) => serve(connection).then(() => true)
      if (await withAdvisoryLock(db, leaderLock, lead, () => false)) return
      await onFollower()
      await pause(retryMs, signal)
    }
  })
}

/** If a machine vanishes, the database releases its lock after five seconds instead of two hours. */
const noticeLostPeer = sql`select set_config('tcp_keepalives_idle', '2', false),
  set_config('tcp_keepalives_interval', '1', false), set_config('tcp_keepalives_count', '3', false)`

const leaderLock = sql`hashtextextended('broadside model controller', 0)`
