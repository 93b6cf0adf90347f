import { Kysely, PostgresDialect } from 'kysely'
import type { DB } from '../../../generated/database-types.ts'
import type { Connection, Database } from '../../../src/platform/database/database.ts'

type Plan = { Plan: { 'Shared Hit Blocks': number; 'Shared Read Blocks': number } }

/**
 * The pages of 8 KiB that the queries of the work read, whether from memory or from disk. Unlike time, it does not
 * depend on what else the machine does. Each query runs a second time to count; statements that write are left out.
 */
export async function countBuffers(
  { pool }: Connection,
  work: (db: Database) => Promise<unknown>,
): Promise<{ buffers: number; queries: number }> {
  const queries: { sql: string; parameters: readonly unknown[] }[] = []
  const db = new Kysely<DB>({
    dialect: new PostgresDialect({ pool }),
    log: ({ query }) => void queries.push({ sql: query.sql, parameters: query.parameters }),
  })
  await work(db)
  let buffers = 0
  const reading = queries.filter(
    (query) => /^\s*(?:select|with)\b/i.test(query.sql) && !/refresh_cases/.test(query.sql),
  )
  for (const { sql, parameters } of reading) {
    const { rows } = await pool.query(`explain (analyze, buffers, format json) ${sql}`, [...parameters])
    const [plan] = rows[0]['QUERY PLAN'] as Plan[]
    buffers += (plan?.Plan['Shared Hit Blocks'] ?? 0) + (plan?.Plan['Shared Read Blocks'] ?? 0)
  }
  return { buffers, queries: reading.length }
}
