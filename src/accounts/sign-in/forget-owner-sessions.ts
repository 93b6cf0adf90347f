import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'
import { inBatches } from '../../platform/in-batches.ts'

const dayMs = 86_400_000

/** How long an ended session can be asked about. */
const keptSessionsMs = 30 * dayMs

/** Deletes what opens nothing any more. What was mailed is kept for a day: the sends of an hour are counted by it. */
export async function forgetOwnerSessions(db: Database, at: Date): Promise<void> {
  const yesterday = new Date(at.getTime() - dayMs)
  const longAgo = new Date(at.getTime() - keptSessionsMs)
  const sweeps = {
    owner_visits: sql`expires_at <= ${at}`,
    owner_codes: sql`created_at < ${yesterday}`,
    owner_link_mails: sql`asked_at < ${yesterday}`,
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
