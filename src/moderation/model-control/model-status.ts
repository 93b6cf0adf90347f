import { sql } from 'kysely'
import { type Backlog, backlogCountLimit, readBacklogs } from '../../jobs/backlog.ts'
import { moderationJobs } from '../../jobs/jobs.ts'
import { jobOfLane, type ModerationLane } from '../../jobs/moderation-lanes.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ModelState } from '../../platform/database/database-types.ts'

export type ModelStatusValues = {
  state: ModelState
  since: Date
  /** When something last waited or was decided. */
  busyAt: Date
  /** Calls in a row that brought no answer. */
  faults: number
  /** How long a start takes, as the settings of the controller say, and as it was measured. */
  plannedStartSeconds: number
  startSeconds: number | null
  /** How long a post is with the model. */
  decisionSeconds: Record<ModerationLane, number | null>
  /** How much is judged while posts wait. */
  windowsPerSecond: Record<ModerationLane, number | null>
}

export type ModelReading = {
  status: ModelStatusValues
  /** Each counted up to 10,000. */
  queue: { posts: number; edits: number }
  /** What waits for the model. Posts that are not screened yet are not among it. */
  lanes: Record<ModerationLane, Backlog>
  /** How many posts and edits that is. */
  waiting: number
}

// The status stands in the text: a plan for any status could not use the index of the queued ones.
const queuedPosts = sql<number>`(
  select count(*) from (select from posts where status = 'queued' limit ${sql.lit(backlogCountLimit)}) as counted)`
const queuedEdits = sql<number>`(
  select count(*) from (select from post_edits where status = 'queued' limit ${sql.lit(backlogCountLimit)}) as counted)`

/** The model's state and what waits for it. */
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

/** A second's thousand submissions cost ten queries: whoever comes during one, or within 100 ms of it, shares it. */
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
    /** For a post that is about to be queued: tells too how much its account has added to its lane since the reading. */
    join: async ({ lane, accountId, windows }: Joining): Promise<{ reading: ModelReading; joined: number }> => {
      const current = read()
      const key = `${lane} ${accountId}`
      const before = joined.get(key) ?? 0
      joined.set(key, before + windows)
      return { reading: await current, joined: before }
    },
  }
}
