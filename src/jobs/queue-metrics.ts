import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import { observeAtScrape } from '../platform/observability/instruments.ts'
import { backlogCountLimit } from './backlog.ts'
import { jobNames } from './jobs.ts'

type QueueState = { name: string; waiting: number; delayed: number; active: number; oldest_seconds: number }

/** Exports the length and age of each queue. Read at each scrape, by the queue's own clock. */
export function observeQueues(db: Database): Disposable {
  return observeAtScrape(['jobs.waiting', 'jobs.delayed', 'jobs.active', 'jobs.oldest.age'], async (observe) => {
    for (const { name: queue, waiting, delayed, active, oldest_seconds } of await readQueues(db)) {
      observe('jobs.waiting', waiting, { queue })
      observe('jobs.delayed', delayed, { queue })
      observe('jobs.active', active, { queue })
      observe('jobs.oldest.age', oldest_seconds, { queue })
    }
  })
}

/** A retry counts as waiting since it became due. */
async function readQueues(db: Database): Promise<QueueState[]> {
  const { rows } = await sql<QueueState>`
    select names.name, counted.* from unnest(${jobNames}::text[]) as names(name), lateral (
      select count(*) filter (where state < 'active' and start_after <= at) as waiting,
        count(*) filter (where state < 'active' and start_after > at) as delayed,
        count(*) filter (where state = 'active') as active,
        coalesce(greatest(0, extract(epoch from at - min(start_after) filter (where state < 'active'))), 0)::float as oldest_seconds
      from pgboss.job_now() as at left join lateral (
        select state, start_after from pgboss.job_common
        where job_common.name = names.name and state < 'completed' limit ${sql.lit(backlogCountLimit)}
      ) as job on true
      group by at
    ) as counted`.execute(db)
  return rows
}
