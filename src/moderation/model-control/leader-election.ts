import { sql } from 'kysely'
import { connect, type Database } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import { pause } from '../../platform/repeat.ts'

type Options = {
  databaseUrl: string
  /** Ends the search for the office, and the term of whoever holds it. */
  signal: AbortSignal
  /** Runs while this process holds the office, and must do all its statements on the connection that holds it. */
  serve: (db: Database) => Promise<void>
  /** Called again and again while another process holds it. */
  onFollower: () => Promise<void>
  logger: Logger
  retryMs?: number | undefined
}

/**
 * Of all processes that call this, one at a time serves. The office is a lock that lives and dies with one connection,
 * and everything is written over that connection: who has lost it can write nothing more, and finds out by trying.
 * As with LISTEN, no pooler of transactions may campaign in between.
 */
export async function runAsLeader(options: Options): Promise<void> {
  const { signal, logger, retryMs = 1_000 } = options
  while (!signal.aborted) {
    await campaign({ ...options, retryMs }).catch((error) => {
      if (!signal.aborted) logger.warn({ error }, 'the connection of the model’s controller was lost')
    })
    await pause(retryMs, signal)
  }
}

/** One candidacy is one connection; when it is over, so is the connection, and the lock with it. */
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
      const { rows } = await takeLock.execute(db)
      if (rows[0]?.taken) return serve(db)
      await onFollower()
      await pause(retryMs, signal)
    }
  })
}

/** The database lets the lock of a machine go that has vanished, after five seconds instead of two hours. */
const noticeLostPeer = sql`select set_config('tcp_keepalives_idle', '2', false),
  set_config('tcp_keepalives_interval', '1', false), set_config('tcp_keepalives_count', '3', false)`

const takeLock = sql<{ taken: boolean }>`
  select pg_try_advisory_lock(hashtextextended('broadside model controller', 0)) as taken`
