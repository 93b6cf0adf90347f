import { Problem } from '../contract/problems/problem.ts'
import { isStatementTimeout } from '../platform/database/database.ts'

/**
 * Searches have a separate connection pool, half the size of the main one, and a shorter timeout: an expensive query
 * can delay other searches, but never a post.
 */
export const searchTimeoutMs = 2_000
export const searchConnections = (poolMax: number): number => Math.ceil(poolMax / 2)

/** Tells the caller of a search that timed out what to change, since repeating it would take as long. */
export function explainTimeout(error: unknown): never {
  if (!isStatementTimeout(error)) throw error
  const seconds = searchTimeoutMs / 1_000
  throw new Problem(
    'unavailable',
    `The search took more than ${seconds} seconds. Use rarer words, or filter by kind, topic, place or time.`,
    { headers: { 'retry-after': '60' }, cause: error },
  )
}
