import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'
import { type JobName, jobNames } from './jobs.ts'

/** How many jobs run or could run now. One that is put off, be it to be tried again, is not among them. */
export async function countPending(db: Database, names: readonly JobName[] = jobNames): Promise<number> {
  const { rows } = await sql<{ pending: number }>`
    select count(*) as pending from pgboss.job_common
    where name = any(${names})
      and (state = 'active' or state in ('created', 'retry') and start_after <= pgboss.job_now())`.execute(db)
  return rows[0]?.pending ?? 0
}
