import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import { type JobName, type JobPayload, jobNames } from './jobs.ts'

export type Backlog = {
  /** Running and waiting jobs, including delayed ones. */
  jobs: number
  /** Jobs that could run now and wait for a free slot. */
  ready: number
  /** Amount of work by account. */
  windows: ReadonlyMap<string, number>
}

/** Counting stops at this number, because a job behind so many waits long in any case. */
export const backlogCountLimit = 10_000

/** The backlogs of queues that accounts share. Each queue is counted up to 10,000 jobs. */
export async function readBacklogs<Name extends JobName>(
  db: Database,
  names: readonly Name[],
): Promise<Record<Name, Backlog>> {
  const { rows } = await sql<{ account: string; jobs: number; name: string; ready: number; windows: number }>`
    select names.name, coalesce(job.group_id, '') as account, count(*) as jobs, sum(coalesce(group_tier::int, 1)) as windows,
      count(*) filter (where state < 'active' and start_after <= pgboss.job_now()) as ready
    from unnest(${names}::text[]) as names(name), lateral (
      select group_id, group_tier, state, start_after from pgboss.job_common
      where job_common.name = names.name and state < 'completed' limit ${sql.lit(backlogCountLimit)}
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

/**
 * The queue of each job of the account with one of these keys, and the account's work up to and including it. Keys
 * without a job are missing.
 */
export async function findTurns<Name extends JobName>(
  db: Database,
  names: readonly Name[],
  { account, keys }: { account: string; keys: readonly string[] },
): Promise<ReadonlyMap<string, { name: Name; ownWindows: number }>> {
  const { rows } = await sql<{ key: string; name: Name; windows: number }>`
    select key, name, windows from (
      select singleton_key as key, name,
        sum(coalesce(group_tier::int, 1)) over (partition by name order by priority desc) as windows
      from pgboss.job_common
      where name = any(${names}) and group_id = ${account} and state < 'completed'
    ) as own
    where key = any(${keys})`.execute(db)
  return new Map(rows.map(({ key, name, windows }) => [key, { name, ownWindows: windows }]))
}

/**
 * SQL that is true if a job with one of these names waits or runs for the row `alias`, which has the payload's fields
 * as columns.
 */
export function hasJob<Name extends JobName>(
  names: Name | readonly Name[],
  members: readonly (keyof JobPayload<Name> & string)[],
  alias: string,
): RawBuilder<boolean> {
  const same = members.map((member) => sql`job.data->>${sql.lit(member)} = ${sql.ref(`${alias}.${member}`)}::text`)
  return sql<boolean>`exists (
    select from pgboss.job_common job
    where job.name in (${sql.join([names].flat().map((name) => sql.lit(name)))}) and job.state < 'completed' and ${sql.join(same, sql` and `)}
  )`
}

/** The number of jobs that run or could run now. Excludes delayed jobs and delayed retries. */
export async function countPending(db: Database, names: readonly JobName[] = jobNames): Promise<number> {
  const { rows } = await sql<{ pending: number }>`
    select count(*) as pending from pgboss.job_common
    where name = any(${names})
      and (state = 'active' or state in ('created', 'retry') and start_after <= pgboss.job_now())`.execute(db)
  return rows[0]?.pending ?? 0
}
