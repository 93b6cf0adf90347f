import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import pg from 'pg'

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

/** A client that prepares every statement with parameters. See decisions/0012. */
export class PreparingClient extends pg.Client {}
PreparingClient.prototype.query = function query(this: pg.Client, text: unknown, values?: unknown, callback?: unknown) {
  const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined
  const result = plainQuery.call(this, name ? { name, text, values } : text, name ? undefined : values, callback)
  if (result instanceof Promise) result.catch((error: Error) => dropIfSilent(this, error))
  return result
} as typeof pg.Client.prototype.query

/** The error message from pg if a server is silent for longer than `query_timeout`. */
export const silentServer = 'Query read timeout'

/** The late result could be mistaken for the result of the next statement, so the connection must not be reused. */
function dropIfSilent(client: pg.Client, { message }: Error): void {
  if (message === silentServer) (client as unknown as { connection: { stream: Socket } }).connection.stream.destroy()
}
