import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'
import type { ModelState } from '../../platform/database-types.ts'

export type ModelStatus = {
  state: ModelState
  since: Date
  /** When something last waited or was decided. */
  busyAt: Date
  /** Calls in a row that brought no answer. */
  faults: number
  /** How long a start takes, as the settings of the controller say, and as it was measured. */
  plannedStartSeconds: number
  startSeconds: number | null
  decisionsPerSecond: number | null
  decisionSeconds: number | null
}

export type Reading = {
  status: ModelStatus
  /** Each counted up to 10,000. */
  queue: { posts: number; edits: number }
  /** Both together: exact up to 10,000, and then that. */
  waiting: number
}

/** Counting goes no further: what stands behind so many waits for long in any case. */
export const countedUpTo = 10_000

// The status stands in the text: a plan for any status could not use the index of the queued ones.
const queuedPosts = sql<number>`(
  select count(*) from (select from posts where status = 'queued' limit ${sql.lit(countedUpTo)}) as counted)`
const queuedEdits = sql<number>`(
  select count(*) from (select from post_edits where status = 'queued' limit ${sql.lit(countedUpTo)}) as counted)`

/** The model's state and what waits for it, as of one moment. */
export async function readModel(db: Database): Promise<Reading> {
  const row = await db
    .selectFrom('model_status')
    .select(['state', 'since', 'busy_at', 'faults', 'planned_start_seconds', 'start_seconds'])
    .select(['decisions_per_second', 'decision_seconds'])
    .select([queuedPosts.as('posts'), queuedEdits.as('edits')])
    .executeTakeFirstOrThrow()
  return {
    status: {
      state: row.state,
      since: row.since,
      busyAt: row.busy_at,
      faults: row.faults,
      plannedStartSeconds: row.planned_start_seconds,
      startSeconds: row.start_seconds,
      decisionsPerSecond: row.decisions_per_second,
      decisionSeconds: row.decision_seconds,
    },
    queue: { posts: row.posts, edits: row.edits },
    waiting: Math.min(row.posts + row.edits, countedUpTo),
  }
}

export const readModelStatus = async (db: Database) => (await readModel(db)).status

export type StatusReader = ReturnType<typeof statusReader>

/** A second's thousand submissions cost ten queries: whoever comes during one, or within 100 ms of it, shares it. */
export function statusReader({ db, maxAgeMs = 100 }: { db: Database; maxAgeMs?: number }) {
  let reading: Promise<Reading> | undefined
  let joined = 0
  const startReading = () => {
    const mine = readModel(db)
    const forget = () => {
      if (reading === mine) reading = undefined
    }
    mine.then(() => setTimeout(forget, maxAgeMs).unref(), forget)
    reading = mine
    joined = 0
    return mine
  }
  const read = () => reading ?? startReading()
  return {
    read,
    /** For a post that is about to be queued: those that joined since the reading stand before it. */
    join: async (): Promise<Reading> => {
      const current = read()
      const before = joined++
      const found = await current
      return { ...found, waiting: Math.min(found.waiting + before, countedUpTo) }
    },
  }
}
