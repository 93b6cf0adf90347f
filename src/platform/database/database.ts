import assert from 'node:assert/strict'
import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import type { DB } from '../../../generated/database-types.ts'
import { observeAtScrape } from '../observability/instruments.ts'
import { PreparingClient, type ReadOnlyOption, readOnlyServer, silentServer } from './statements/prepared-statements.ts'

export type Database = Kysely<DB>
export type Transaction = KyselyTransaction<DB>

/** One connection, for work that spans statements. */
export type Session = pg.Client

export type Connection = { db: Database; pool: pg.Pool } & AsyncDisposable

type Options = {
  poolMax: number
  applicationName: string
  /** The server cancels longer statements, so that no call occupies a connection forever. */
  statementTimeoutMs?: number
  onError?: (error: Error) => void
  /** Commits without waiting for the disk: a server crash may lose the last half second of writes. */
  commitsLater?: true
  /** Refuses every write, so that a replica that was promoted by mistake stays as it is. */
  writesNothing?: true
} & ReadOnlyOption

/** Opens a pool. It drops and reports connections that break while idle, and the process continues. */
export function connect(url: string, options: Options): Connection {
  const statementTimeoutMs = options.statementTimeoutMs ?? 10_000
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolMax,
    application_name: options.applicationName,
    statement_timeout: statementTimeoutMs,
    // The server cancels a slow statement; if the server does not respond at all, the client gives up a little later.
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + 2_000 }),
    // The wait for a locked row ends before the statement timeout, and before a gateway asks another host.
    lock_timeout: 3_000,
    // Transactions make no network calls, so one that is silent for so long belongs to a process that is gone or paused.
    idle_in_transaction_session_timeout: 5_000,
    connectionTimeoutMillis: connectTimeoutMs(url),
    ...probing,
    options: [
      // While PostgreSQL works or waits for a lock, it does not notice by itself that its client is gone.
      '-c client_connection_check_interval=500',
      ...(options.commitsLater ? ['-c synchronous_commit=off'] : []),
      ...(options.writesNothing ? ['-c default_transaction_read_only=on'] : []),
    ].join(' '),
    // New connections follow a changed route even if the old ones still work.
    maxLifetimeSeconds: 1_800,
    types: { getTypeParser },
    Client: PreparingClient,
    ...(options.acceptsReadOnly && { acceptsReadOnly: true }),
  } as pg.PoolConfig)
  pool.on('error', (error) => options.onError?.(error))
  // A connection that breaks during a call rejects the call and also emits an error, which would otherwise be
  // unhandled.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool, cursor: Cursor }) })
  const observing = observePool(pool, options)
  const close = async () => {
    observing[Symbol.dispose]()
    await db.destroy()
    // Kysely closes the pool only if it ran a query.
    if (!pool.ending) await pool.end()
  }
  return { db, pool, [Symbol.asyncDispose]: close }
}

const poolMetrics = [
  'db.client.connection.count',
  'db.client.connection.max',
  'db.client.connection.pending_requests',
] as const

export type CountedPool = Pick<pg.Pool, 'idleCount' | 'totalCount' | 'waitingCount'>

/** Exports the connections of a pool. */
export function observePool(
  pool: CountedPool,
  { applicationName, poolMax }: Pick<Options, 'applicationName' | 'poolMax'>,
): Disposable {
  // Without the schema number: an upgrade must not start new series.
  const name = { 'db.client.connection.pool.name': applicationName.replace(/ \(schema \d+\)$/, '') }
  return observeAtScrape(poolMetrics, (observe) => {
    const { idleCount: idle, totalCount: total, waitingCount: waiting } = pool
    observe('db.client.connection.count', idle, { ...name, 'db.client.connection.state': 'idle' })
    observe('db.client.connection.count', total - idle, { ...name, 'db.client.connection.state': 'used' })
    observe('db.client.connection.max', poolMax, name)
    observe('db.client.connection.pending_requests', waiting, name)
  })
}

/** Probes idle connections after ten seconds. The kernel's default is two hours, longer than any of them lives. */
export const probing = { keepAlive: true, keepAliveInitialDelayMillis: 10_000 } as const

const defaultConnectTimeoutSeconds = 5

/** How long a call waits for a connection: `connect_timeout` in the database URL, in seconds, as for libpq. */
export function connectTimeoutMs(url: string): number {
  return 1_000 * Number(new URL(url).searchParams.get('connect_timeout') ?? defaultConnectTimeoutSeconds)
}

type CommitHook = (db: Database) => void

const commitHooks = new WeakMap<Transaction, CommitHook[]>()

/** Runs `work` in one transaction. Do not make network calls inside it. */
export async function inTransaction<Result>(db: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  const hooks: CommitHook[] = []
  const result = await db.transaction().execute((tx) => {
    commitHooks.set(tx, hooks)
    return work(tx)
  })
  for (const hook of hooks) hook(db)
  return result
}

/** Runs the hook when the transaction has committed; never if it rolls back. The hook must not throw. */
export function afterCommit(tx: Transaction, hook: CommitHook): void {
  const hooks = commitHooks.get(tx)
  assert(hooks, 'the transaction was not started by inTransaction')
  hooks.push(hook)
}

const bigintType = 20
const dateType = 1082

/** Money is bigint in PostgreSQL and a safe integer here; a larger value is a bug and must not be rounded. */
function getTypeParser(type: number, format?: 'text' | 'binary') {
  if (type === dateType) return (text: string) => text
  if (type !== bigintType) return pg.types.getTypeParser(type, format as 'text')
  return (text: string) => {
    const value = Number(text)
    assert(Number.isSafeInteger(value), 'a bigint from the database exceeds the safe integer range')
    return value
  }
}

/** The name of the constraint that rejected a statement, if any. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined
  return error.code?.startsWith('23') ? error.constraint : undefined
}

/** The required column that a statement tried to set to null, as `table.column`, if that was its error. */
export const missingColumn = (error: unknown): string | undefined =>
  error instanceof pg.DatabaseError && error.code === '23502' ? `${error.table}.${error.column}` : undefined

/** True if another transaction locked a row for longer than a call can wait. */
export const isLockTimeout = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '55P03'

/** True if a statement timed out. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '57014'

/** True if a deadlock ended this transaction: the same work can be retried. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001')

/** True if a statement certainly had no effect: the server rejected it or never received it. */
export function neverRan(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return true
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === 'ECONNREFUSED' || message === 'timeout exceeded when trying to connect'
}

/** True if the server rejected the data and would do so again. */
export const isDataFault = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && /^2[23]/.test(error.code ?? '')

const connectionFaults = new Set([
  'EAI_AGAIN',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
])
const connectionMessages = new RegExp(
  `Connection terminated|timeout exceeded when trying to connect|not queryable|${silentServer}|${readOnlyServer}`,
)

/** True if the database is unreachable or shutting down: the caller can retry. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  // A refused login: the password of the role was just changed, and the process will be restarted with the new one.
  const isServerGoingAway = /^(08|57P|53)/.test(code) || code === '25006' || code === '28P01'
  return (
    isServerGoingAway ||
    isStatementTimeout(error) ||
    connectionFaults.has(code) ||
    connectionMessages.test(error.message)
  )
}
