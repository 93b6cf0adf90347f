import type { PgBoss } from 'pg-boss'
import { startRepeating } from '../platform/repeat.ts'
import type { JobName } from './jobs.ts'

/** How late a delayed job, or one whose notification was lost, can start. */
const lookEveryMs = 500

type Options = { names: readonly JobName[]; wake: (name: JobName) => void }

/**
 * Wakes the slots of each queue that has a job to run now. Notifications tell only of new jobs. One statement looks for
 * all queues: if each slot polled by itself, a worker without work would send 38 statements a second.
 */
export function startFindingDue(boss: PgBoss, { names, wake }: Options): AsyncDisposable {
  const work = async () => {
    const { rows } = await boss.getDb().executeSql(queuesWithDueJobs, [names])
    for (const { name } of rows as { name: JobName }[]) wake(name)
  }
  // An unreachable database is reported by the pool and by pg-boss.
  return startRepeating({ everyMs: lookEveryMs, work, onError: () => {} })
}

const queuesWithDueJobs = `
  select name from unnest($1::text[]) as name
  where exists (
    select from pgboss.job_common job
    where job.name = name and state < 'active' and not blocked and start_after <= pgboss.job_now()
  )`
