import { sql } from 'kysely'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { startRepeating } from '../platform/repeat.ts'
import { enqueue } from './enqueue.ts'
import { type JobPayload, quickJobs } from './jobs.ts'

/** How long the worker of a quick job can be silent before another one gets the same work. */
const stalledMs = 2_000
const lookEveryMs = 500

/**
 * Enqueues quick jobs again whose worker is silent: it was killed, paused or cut off from the network. The queue itself
 * notices a dead worker only after more than ten seconds, and until then a removed post stays readable. If the worker
 * returns, the job runs twice, which does no harm. Only one more run is started for each key.
 */
export const startResumingStalled = (db: Database, onError: (error: unknown) => void): AsyncDisposable =>
  startRepeating({ everyMs: lookEveryMs, work: () => enqueueStalled(db), onError })

/** Returns the number of jobs that were enqueued again. */
export async function enqueueStalled(db: Database): Promise<number> {
  const { rows } = await sql<Stalled>`
    select name, singleton_key as once, (array_agg(data))[1] as payload from pgboss.job_common
    where name = any(${quickJobs}) and state = 'active' and singleton_key is not null
    group by name, singleton_key
    having count(*) = 1 and min(greatest(started_on, heartbeat_on)) < pgboss.job_now() - ${sql.lit(stalledMs)} * interval '1 ms'
    limit 100`.execute(db)
  if (rows.length > 0)
    await inTransaction(db, async (tx) => {
      for (const { name, once, payload } of rows) await enqueue(tx, name, payload, { once })
    })
  return rows.length
}

type Stalled = { name: (typeof quickJobs)[number]; once: string; payload: JobPayload<(typeof quickJobs)[number]> }
