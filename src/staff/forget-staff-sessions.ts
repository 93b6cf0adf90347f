import { sql } from 'kysely'
import type { Database } from '../platform/database.ts'
import { inBatches } from '../platform/in-batches.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]

/** How long an ended session can be asked about. */
const keptSessionsMs = 30 * dayMs

/** Deletes what opens and holds nothing any more: sessions, challenges long past their time, claims and skips of another day. */
export async function forgetStaffSessions(db: Database, at: Date): Promise<void> {
  const before = (ms: number) => new Date(at.getTime() - ms)
  const sweeps = {
    spent_challenges: sql`spent_at < ${before(hourMs)}`,
    staff_sessions: sql`created_at < ${before(keptSessionsMs)} and coalesce(ended_at, last_seen_at) < ${before(keptSessionsMs)}`,
    desk_claims: sql`expires_at < ${before(dayMs)}`,
    desk_skips: sql`until < ${before(hourMs)}`,
  }
  for (const [table, isOver] of Object.entries(sweeps))
    await inBatches(
      db,
      (batch) => sql`
        delete from ${sql.table(table)} where ctid = any (array(
          select ctid from ${sql.table(table)} where ${isOver} limit ${batch}
        ))`,
    )
}
