import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'
import { inBatches } from '../../platform/in-batches.ts'

const [hourMs, dayMs] = [3_600_000, 86_400_000]

/** How long an ended session can be asked about. */
const keptSessionsMs = 30 * dayMs

/**
 * Deletes what opens nothing any more. What was mailed is kept as long as it counts: wrong codes for the day, links for
 * the hour. A link that could not be mailed in an hour is asked for again.
 */
export async function forgetOwnerSessions(db: Database, at: Date): Promise<void> {
  const anHourAgo = new Date(at.getTime() - hourMs)
  const yesterday = new Date(at.getTime() - dayMs)
  const longAgo = new Date(at.getTime() - keptSessionsMs)
  const sweeps = {
    owner_visits: sql`expires_at <= ${at}`,
    owner_codes: sql`expires_at < ${yesterday}`,
    owner_link_mails: sql`asked_at < ${anHourAgo} and coalesce(mailed_at, asked_at) < ${anHourAgo}`,
    owner_sessions: sql`created_at < ${longAgo} and coalesce(ended_at, last_seen_at) < ${longAgo}`,
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
