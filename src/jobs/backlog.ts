import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'
import type { JobName } from './jobs.ts'

export type Backlog = {
  /** Jobs that run or wait, those that were put off included. */
  jobs: number
  /** Jobs that could run now and wait for a place. */
  ready: number
  /** How much work there is, by account. */
  windows: ReadonlyMap<string, number>
}

/** Counting goes no further: what stands behind so many waits for long in any case. */
export const countedUpTo = 10_000

/** What waits in queues that accounts share. Each queue is counted up to 10,000 jobs. */
export async function readBacklogs<Name extends JobName>(
  db: Database,
  names: readonly Name[],
): Promise<Record<Name, Backlog>> {
  const { rows } = await sql<{ name: Name; account: string; jobs: number; ready: number; windows: number }>`
    select names.name, coalesce(job.group_id, '') as account, count(*) as jobs, sum(coalesce(group_tier::int, 1)) as windows,
      count(*) filter (where state < 'active' and start_after <= pgboss.job_now()) as ready
    from unnest(${names}::text[]) as names(name), lateral (
      select group_id, group_tier, state, start_after from pgboss.job_common
      where job_common.name = names.name and state < 'completed' limit ${sql.lit(countedUpTo)}
    ) as job
    group by 1, 2`.execute(db)
  const backlogOf = (name: Name): Backlog => {
    const own = rows.filter((row) => row.name === name)
    const sum = (member: 'jobs' | 'ready') => own.reduce((total, row) => total + row[member], 0)
    return {
      jobs: sum('jobs'),
      ready: sum('ready'),
      windows: new Map(own.map(({ account, windows }) => [account, windows])),
    }
  }
  return Object.fromEntries(names.map((name) => [name, backlogOf(name)])) as Record<Name, Backlog>
}

/** The queue where the job with this key waits, and the work of its account up to it; null when there is no such job. */
export async function findTurn<Name extends JobName>(
  db: Database,
  names: readonly Name[],
  { account, key }: { account: string; key: string },
): Promise<{ name: Name; ownWindows: number } | null> {
  const { rows } = await sql<{ name: Name; windows: number }>`
    select own.name, sum(coalesce(before.group_tier::int, 1)) as windows
    from pgboss.job_common own
    join pgboss.job_common before
      on before.name = own.name and before.group_id = own.group_id and before.state < 'completed'
      and before.priority >= own.priority
    where own.name = any(${names}) and own.group_id = ${account} and own.singleton_key = ${key}
      and own.state < 'completed'
    group by 1 limit 1`.execute(db)
  const [row] = rows
  return row ? { name: row.name, ownWindows: row.windows } : null
}
