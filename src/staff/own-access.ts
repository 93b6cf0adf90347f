import { staffSession } from '../contract/limits.ts'
import type { Database } from '../platform/database.ts'

/** The passkeys that a member can use. */
export function listPasskeys(db: Database, staffId: string) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'label', 'created_at', 'last_used_at'])
    .where('staff_id', '=', staffId)
    .where('revoked_at', 'is', null)
    .orderBy('created_at')
    .limit(100)
    .execute()
}

type Open = { staffId?: string; at: Date }

/** The sessions that are open, of one member or of all, the latest first. */
export function listStaffSessions(db: Database, { staffId, at }: Open) {
  const ago = (seconds: number) => new Date(at.getTime() - seconds * 1_000)
  return db
    .selectFrom('staff_sessions')
    .select(['id', 'staff_id', 'browser', 'created_at', 'last_seen_at'])
    .where('ended_at', 'is', null)
    .where('last_seen_at', '>', ago(staffSession.idleSeconds))
    .where('created_at', '>', ago(staffSession.wholeSeconds))
    .$if(staffId !== undefined, (query) => query.where('staff_id', '=', String(staffId)))
    .orderBy('last_seen_at', 'desc')
    .orderBy('id')
    .limit(500)
    .execute()
}
