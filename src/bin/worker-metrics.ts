import { statfs } from 'node:fs/promises'
import { sql } from 'kysely'
import { observeQueues } from '../jobs/queue-metrics.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { observeChecks } from '../platform/observability/checks.ts'
import { observeAtScrape } from '../platform/observability/instruments.ts'
import type { PagesPlace } from '../platform/page-store/open-pages.ts'

type Parts = { db: Database; clock: Clock; pages: PagesPlace; checksDirectory: string | undefined }

/** Exports what waits in this service: posts, jobs and deliveries, and the state of disk, standbys and checks. */
export function observeService({ db, clock, pages, checksDirectory }: Parts): Disposable {
  using stack = new DisposableStack()
  stack.use(observeQueues(db))
  stack.use(observeWaitingPosts(db, clock))
  stack.use(observeLanes(db, clock))
  stack.use(observeStandbys(db))
  stack.use(observeLog(db))
  if ('directory' in pages) stack.use(observeDisk(pages.directory))
  if (checksDirectory !== undefined) stack.use(observeChecks(checksDirectory))
  return stack.move()
}

const ageSeconds = (since: Date | null | undefined, clock: Clock) =>
  since ? Math.max(0, (clock.now().getTime() - since.getTime()) / 1_000) : 0

function observeWaitingPosts(db: Database, clock: Clock): Disposable {
  return observeAtScrape(['posts.queued.oldest.age'], async (observe) => {
    const { rows } = await sql<{ post: Date | null; edit: Date | null }>`
      select (select min(created_at) from posts where status = 'queued') as post,
        (select min(submitted_at) from post_edits where status = 'queued') as edit`.execute(db)
    observe('posts.queued.oldest.age', ageSeconds(rows[0]?.post, clock), { of: 'post' })
    observe('posts.queued.oldest.age', ageSeconds(rows[0]?.edit, clock), { of: 'edit' })
  })
}

function observeLanes(db: Database, clock: Clock): Disposable {
  return observeAtScrape(['webhooks.oldest_due.age'], async (observe) => {
    const { rows } = await sql<{ queue: string; oldest: Date | null }>`
      select queue, (select min(ready_at) from delivery_lanes lane
        where lane.queue = queues.queue and holder is null and ready_at is not null) as oldest
      from unnest(enum_range(null::delivery_queue)) as queues(queue)`.execute(db)
    for (const { queue, oldest } of rows) observe('webhooks.oldest_due.age', ageSeconds(oldest, clock), { queue })
  })
}

/** PostgreSQL shows the lag only to members of pg_monitor; the number of standbys it shows to all. */
function observeStandbys(db: Database): Disposable {
  return observeAtScrape(['database.standbys', 'database.replication.lag'], async (observe) => {
    const { rows } = await sql<{ standby: string; sync: string | null; lag: number | null }>`
      select coalesce(application_name, pid::text) as standby, sync_state as sync,
        case when sync_state is not null then coalesce(extract(epoch from replay_lag), 0) end::float as lag
      from pg_stat_replication`.execute(db)
    for (const sync of ['sync', 'quorum', 'potential', 'async'])
      observe('database.standbys', rows.filter((row) => row.sync === sync).length, { sync })
    for (const { standby, lag } of rows) if (lag !== null) observe('database.replication.lag', lag, { standby })
  })
}

const logMetrics = ['log.waiting', 'log.waiting.oldest', 'log.size', 'log.stopped'] as const

function observeLog(db: Database): Disposable {
  return observeAtScrape(logMetrics, async (observe) => {
    const { rows } = await sql<{ waiting: number; oldest: number; size: number; stopped: boolean }>`
      select (select count(*) from log_queue where entry_index is null) + size - published_size as waiting,
        coalesce((select min(id) from log_queue where entry_index is null), 0) as oldest,
        published_size as size, stopped_reason is not null as stopped
      from log_head`.execute(db)
    for (const { waiting, oldest, size, stopped } of rows) {
      observe('log.waiting', Number(waiting))
      observe('log.waiting.oldest', Number(oldest))
      observe('log.size', size)
      observe('log.stopped', Number(stopped))
    }
  })
}

function observeDisk(directory: string): Disposable {
  return observeAtScrape(['pages.disk.free', 'pages.disk.size'], async (observe) => {
    const { bavail, blocks, bsize } = await statfs(directory)
    observe('pages.disk.free', bavail * bsize)
    observe('pages.disk.size', blocks * bsize)
  })
}
