import assert from 'node:assert/strict'
import { Kysely, type Transaction as KyselyTransaction, PostgresDialect } from 'kysely'
import pg from 'pg'
import Cursor from 'pg-cursor'
import type { DB } from './database-types.ts'
import { PreparingClient, silentServer } from './prepared-statements.ts'

export type Database = Kysely<DB>
export type Transaction = KyselyTransaction<DB>

export type Connection = { db: Database; pool: pg.Pool } & AsyncDisposable

type Options = {
  poolMax: number
  applicationName: string
  /** A statement that runs longer is ended by the server: no call may hold a connection for ever. */
  statementTimeoutMs?: number
  onError?: (error: Error) => void
  /** Commits without waiting for the disk: a crash of the server may lose the last half second of what was written. */
  commitsLater?: true
}

/** Opens a pool. Connections that break while idle are dropped and reported, and the process goes on. */
export function connect(url: string, options: Options): Connection {
  const statementTimeoutMs = options.statementTimeoutMs ?? 10_000
  const pool = new pg.Pool({
    connectionString: url,
    max: options.poolMax,
    application_name: options.applicationName,
    statement_timeout: statementTimeoutMs,
    // The server ends a statement that is too long; a server that cannot even say so is given up a little later.
    ...(statementTimeoutMs > 0 && { query_timeout: statementTimeoutMs + 2_000 }),
    // A row that another transaction holds is waited for, but not until the whole statement is given up.
    lock_timeout: 5_000,
    idle_in_transaction_session_timeout: 15_000,
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
    ...(options.commitsLater && { options: '-c synchronous_commit=off' }),
    types: { getTypeParser },
    Client: PreparingClient,
  })
  pool.on('error', (error) => options.onError?.(error))
  // A connection that breaks under a call tells the call, and also emits an error, which nobody else would catch.
  pool.on('connect', (client) => client.on('error', () => {}))
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool, cursor: Cursor }) })
  const close = async () => {
    await db.destroy()
    // Kysely ends the pool only if a query went through Kysely.
    if (!pool.ending) await pool.end()
  }
  return { db, pool, [Symbol.asyncDispose]: close }
}

/** One transaction, or no trace. No network call may be made inside. */
export function inTransaction<Result>(db: Database, work: (tx: Transaction) => Promise<Result>): Promise<Result> {
  return db.transaction().execute(work)
}

const bigintType = 20
const dateType = 1082

/** Money is bigint in PostgreSQL and a safe integer here; anything larger is a wrong program, not a rounded number. */
function getTypeParser(type: number, format?: 'text' | 'binary') {
  if (type === dateType) return (text: string) => text
  if (type !== bigintType) return pg.types.getTypeParser(type, format as 'text')
  return (text: string) => {
    const value = Number(text)
    assert(Number.isSafeInteger(value), 'a bigint from the database is beyond what a number carries exactly')
    return value
  }
}

/** The name of the constraint that refused a statement, if one did. */
export function violatedConstraint(error: unknown): string | undefined {
  if (!(error instanceof pg.DatabaseError)) return undefined
  return error.code?.startsWith('23') ? error.constraint : undefined
}

/** True when a row was held by another transaction for longer than a call may wait. */
export const isLockTimeout = (error: unknown): boolean => error instanceof pg.DatabaseError && error.code === '55P03'

/** True when a statement took longer than it may. */
export const isStatementTimeout = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code === '57014'

/** True when two transactions waited for each other, and this one was given up: the same work may be tried again. */
export const isDeadlock = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && (error.code === '40P01' || error.code === '40001')

/** True when a statement has certainly had no effect: the server refused it, or never got it. */
export function neverRan(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return true
  const { code, message } = error as { code?: unknown; message?: unknown }
  return code === 'ECONNREFUSED' || message === 'timeout exceeded when trying to connect'
}

/** True when the server refused what it was given, and will do so again. */
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
  `Connection terminated|timeout exceeded when trying to connect|not queryable|${silentServer}`,
)

/** True when the database could not be reached or is going away: the caller may try again, nothing is known to be wrong. */
export function isDatabaseUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const code = 'code' in error ? String(error.code) : ''
  const isServerGoingAway = /^(08|57P|53)/.test(code) || code === '25006'
  return (
    isServerGoingAway ||
    isStatementTimeout(error) ||
    connectionFaults.has(code) ||
    connectionMessages.test(error.message)
  )
}
