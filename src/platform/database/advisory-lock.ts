import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

/**
 * Runs `work` on one connection that holds the advisory lock meanwhile, or `otherwise` if another connection holds it.
 * PostgreSQL releases the lock when the connection ends, however the process dies.
 */
export function withAdvisoryLock<Result, Other>(
  db: Database,
  key: RawBuilder<unknown>,
  work: (connection: Database) => Promise<Result>,
  otherwise: () => Other,
): Promise<Result | Other> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${key}) as taken`.execute(connection)
    if (!rows[0]?.taken) return otherwise()
    // The connection returns to the pool and must not keep the lock.
    const unlock = () => sql`select pg_advisory_unlock(${key})`.execute(connection)
    const result = await work(connection).catch(async (error) => {
      // A broken connection has already lost the lock, and the first error explains why.
      await unlock().catch(() => {})
      throw error
    })
    await unlock()
    return result
  })
}
