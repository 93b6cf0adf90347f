import { Problem } from '../contract/problems/problem.ts'
import { isStatementTimeout } from '../platform/database/database.ts'

/**
 * Searches have connections of their own, half as many as everything else has, and are given up sooner than other
 * statements: a query that is dear to answer holds up other searches and never a post.
 */
export const searchTimeoutMs = 2_000
export const searchConnections = (poolMax: number): number => Math.ceil(poolMax / 2)

/** Tells the caller of a search that took too long what to do, since the same again would take as long. */
export function explainTimeout(error: unknown): never {
  if (!isStatementTimeout(error)) throw error
  const seconds = searchTimeoutMs / 1_000
  throw new Problem(
    'unavailable',
    `The search took more than ${seconds} seconds. Use rarer words, or narrow it by kind, topic, place or time.`,
    { headers: { 'retry-after': '60' }, cause: error },
  )
}
