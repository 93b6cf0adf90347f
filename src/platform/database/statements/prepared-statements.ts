import { createHash } from 'node:crypto'
import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'
import { observedQuery } from './observed-query.ts'

/**
 * Statements get names so that PostgreSQL parses and plans each one once per connection. The number is limited, because
 * statements that are built dynamically would otherwise fill the server's memory.
 */
const maxNames = 500

/**
 * Marks a statement that must not be prepared, because its best plan depends on its parameters (a rare or a common
 * topic).
 */
export const withoutPreparedPlan = '/* planned anew */'
const names = new Map<string, string>()

function nameOf(text: string): string | undefined {
  if (text.endsWith(withoutPreparedPlan)) return undefined
  const known = names.get(text)
  if (known) return known
  if (names.size >= maxNames) return undefined
  const name = createHash('sha256').update(text).digest('base64url').slice(0, 24)
  names.set(text, name)
  return name
}

type Query = (this: pg.Client, query: unknown, values?: unknown, callback?: unknown) => unknown
const plainQuery = pg.Client.prototype.query as Query

type Internals = { connection: EventEmitter & { stream: Socket } }
type ParameterStatus = { parameterName: string; parameterValue: string }

/** Settings that the server reports when a session begins and when they change. */
const readOnlySettings = ['in_hot_standby', 'default_transaction_read_only']

/** Sessions with this option may read from a standby. */
export type ReadOnlyOption = { acceptsReadOnly?: boolean }

/** The message of the error if a server turns out to accept no writes. */
export const readOnlyServer = 'The server accepts no writes'

/**
 * A client that prepares every statement with parameters (decisions/0012) and does not stay connected to a server that
 * accepts no writes: after a failover, its pool would otherwise keep connections to the old server.
 */
export class PreparingClient extends pg.Client {
  constructor(config?: string | (pg.ClientConfig & ReadOnlyOption)) {
    super(config)
    if (typeof config === 'object' && config.acceptsReadOnly) return
    const { connection } = this as unknown as Internals
    connection.on('parameterStatus', ({ parameterName, parameterValue }: ParameterStatus) => {
      if (readOnlySettings.includes(parameterName) && parameterValue === 'on') disconnect(this, readOnlyServer)
    })
  }
}
PreparingClient.prototype.query = function query(this: pg.Client, text: unknown, values?: unknown, callback?: unknown) {
  const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined
  const result = observedQuery(text, callback, (observed) =>
    plainQuery.call(this, name ? { name, text, values } : text, name ? undefined : values, observed),
  )
  if (result instanceof Promise) result.catch((error: Error) => dropIfUseless(this, error))
  return result
} as typeof pg.Client.prototype.query

/** The error message from pg if a server is silent for longer than `query_timeout`. */
export const silentServer = 'Query read timeout'

const readOnlyTransaction = '25006'

/**
 * Drops a connection that must not be reused: the late result of a silent server could be mistaken for the result of the
 * next statement, and a read-only server would reject the next write too.
 */
function dropIfUseless(client: pg.Client, error: Error): void {
  if (error.message === silentServer) disconnect(client)
  if ('code' in error && error.code === readOnlyTransaction) disconnect(client, readOnlyServer)
}

const disconnect = (client: pg.Client, reason?: string) =>
  (client as unknown as Internals).connection.stream.destroy(reason ? new Error(reason) : undefined)
