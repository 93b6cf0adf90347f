import { sql } from 'kysely'
import { countPending } from '../../src/jobs/backlog.ts'
import { quickJobs } from '../../src/jobs/jobs.ts'
import type { Clock } from '../../src/platform/clock.ts'
import type { Database } from '../../src/platform/database/database.ts'
import { waitFor } from '../services/state.ts'

/**
 * Waits until no post or edit is queued, no desk decision is due, no job is due or running, no page is pending, no
 * delivery is due and the transparency log is complete.
 */
export async function settle(db: Database, clock: Clock, timeoutMs?: number): Promise<void> {
  // In the order in which work causes other work, so that none is missed that is passed on between two looks. A look
  // ends with the first that is left: a test waits longest on a busy machine, where each look slows the work down.
  const counts = [
    () => countQueued(db),
    () => countDecided(db, clock.now()),
    () => countPending(db),
    () => countPutOff(db),
    () => countLanes(db, clock.now()),
    () => countUnlogged(db),
    // The log enqueues the proofs of what it has taken up.
    () => countPending(db),
  ]
  const isSettled = async () => {
    for (const count of counts) if ((await count()) > 0) return false
    return true
  }
  await waitFor(isSettled, 'all posts to be decided and shown', timeoutMs)
}

/** Desk decisions whose undo window is over and that are not applied yet. */
async function countDecided(db: Database, at: Date): Promise<number> {
  const { due } = await db
    .selectFrom('desk_decisions')
    .select((query) => query.fn.countAll<number>().as('due'))
    .where('applied_at', 'is', null)
    .where('due_at', '<=', at)
    .executeTakeFirstOrThrow()
  return due
}

async function countLanes(db: Database, at: Date): Promise<number> {
  const { rows } = await sql<{ busy: number }>`
    select count(*) as busy from delivery_lanes where holder is not null or ready_at <= ${at}`.execute(db)
  return rows[0]?.busy ?? 0
}

/** Entries that the transparency log has not published yet, or whose proofs are not enqueued, unless it has stopped. */
async function countUnlogged(db: Database): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select (select count(*) from log_queue where entry_index is null) + size - proofs_through as waiting
    from log_head where stopped_reason is null`.execute(db)
  return rows[0]?.waiting ?? 0
}

/** Page writes are delayed a little to batch changes, and a failed one waits for its next attempt. */
async function countPutOff(db: Database): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from pgboss.job_common where name = any(${[...quickJobs]})
    and state < 'completed'`.execute(db)
  return rows[0]?.waiting ?? 0
}

async function countQueued(db: Database): Promise<number> {
  const count = async (table: 'posts' | 'post_edits') => {
    const { queued } = await db
      .selectFrom(table)
      .select((query) => query.fn.countAll<number>().as('queued'))
      .where('status', '=', 'queued')
      .executeTakeFirstOrThrow()
    return queued
  }
  return (await count('posts')) + (await count('post_edits'))
}
