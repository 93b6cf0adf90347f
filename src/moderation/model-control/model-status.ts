import { sql } from 'kysely'
import type { ModelState } from '../../../generated/database-types.ts'
import { type Backlog, backlogCountLimit, readBacklogs } from '../../jobs/backlog.ts'
import { moderationJobs } from '../../jobs/jobs.ts'
import { jobOfLane, type ModerationLane } from '../../jobs/moderation-lanes.ts'
import type { Database } from '../../platform/database/database.ts'

export type ModelStatusValues = {
  state: ModelState
  since: Date
  /** When something was last waiting or decided. */
  busyAt: Date
  /** Consecutive failed calls. */
  faults: number
  /** How long a start takes, as configured and as measured. */
  plannedStartSeconds: number
  startSeconds: number | null
  /** How long the model takes to judge a post. */
  decisionSeconds: Record<ModerationLane, number | null>
  /** The throughput while posts are waiting. */
  windowsPerSecond: Record<ModerationLane, number | null>
}

export type ModelReading = {
  status: ModelStatusValues
  /** Each is counted up to 10,000. */
  queue: { posts: number; edits: number }
  /** The jobs that wait for the model, excluding posts that have not been screened yet. */
  lanes: Record<ModerationLane, Backlog>
  /** The number of waiting posts and edits. */
  waiting: number
}

// The status is a literal: a generic plan could not use the partial index on queued posts.
const queuedPosts = sql<number>`(
  select count(*) from (select from posts where status = 'queued' limit ${sql.lit(backlogCountLimit)}) as counted)`
const queuedEdits = sql<number>`(
  select count(*) from (select from post_edits where status = 'queued' limit ${sql.lit(backlogCountLimit)}) as counted)`

/** The model's state and its queue. */
export async function readModel(db: Database): Promise<ModelReading> {
  const row = await db
    .selectFrom('model_status')
    .select(['state', 'since', 'busy_at', 'faults', 'planned_start_seconds', 'start_seconds'])
    .select(['windows_per_second', 'decision_seconds', 'long_windows_per_second', 'long_decision_seconds'])
    .select([queuedPosts.as('posts'), queuedEdits.as('edits')])
    .executeTakeFirstOrThrow()
  const backlogs = await readBacklogs(db, moderationJobs)
  const lanes = { short: backlogs[jobOfLane.short], long: backlogs[jobOfLane.long] }
  return {
    status: {
      state: row.state,
      since: row.since,
      busyAt: row.busy_at,
      faults: row.faults,
      plannedStartSeconds: row.planned_start_seconds,
      startSeconds: row.start_seconds,
      decisionSeconds: { short: row.decision_seconds, long: row.long_decision_seconds },
      windowsPerSecond: { short: row.windows_per_second, long: row.long_windows_per_second },
    },
    queue: { posts: row.posts, edits: row.edits },
    lanes,
    waiting: lanes.short.jobs + lanes.long.jobs,
  }
}

export const readModelStatus = async (db: Database) => (await readModel(db)).status

export type StatusReader = ReturnType<typeof statusReader>

type Joining = { lane: ModerationLane; accountId: string; windows: number }

/**
 * Calls during a reading, or within 100 ms after it, share its result. So a thousand submissions a second cost at most
 * ten readings.
 */
export function statusReader({ db, maxAgeMs = 100 }: { db: Database; maxAgeMs?: number }) {
  let reading: Promise<ModelReading> | undefined
  let joined = new Map<string, number>()
  const startReading = () => {
    const mine = readModel(db)
    const forget = () => {
      if (reading === mine) reading = undefined
    }
    mine.then(() => setTimeout(forget, maxAgeMs).unref(), forget)
    reading = mine
    joined = new Map()
    return mine
  }
  const read = () => reading ?? startReading()
  return {
    read,
    /**
     * For a post that is about to be queued: also returns how many windows its account has added to its lane since the
     * reading.
     */
    join: async ({ lane, accountId, windows }: Joining): Promise<{ reading: ModelReading; joined: number }> => {
      const current = read()
      const key = `${lane} ${accountId}`
      const before = joined.get(key) ?? 0
      joined.set(key, before + windows)
      return { reading: await current, joined: before }
    },
  }
}
