import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { hashToken, newToken } from '../accounts/sign-in/tokens.ts'
import { staffSession } from '../contract/limits.ts'
import { expiryCutoff, type PurgedName } from '../contract/retention/periods.ts'
import type { Database, Transaction } from '../platform/database/database.ts'
import { deleteInBatches, type Purge } from '../platform/repeat.ts'
import type { StaffRole } from './roles.ts'

type StaffMember = { id: string; name: string; role: StaffRole }
export type StaffSession = { id: string; token: string; member: StaffMember }

/** How old `last_seen_at` may get before it is updated. */
const seenResolutionMs = 60_000

type NewSession = { staffId: string; passkeyId: string; browser: string; at: Date }

/** Starts a session with a new random token. */
export async function startStaffSession(tx: Transaction, { staffId, passkeyId, browser, at }: NewSession) {
  const token = newToken()
  await tx
    .insertInto('staff_sessions')
    .values({
      id: randomUUID(),
      token_hash: hashToken(token),
      staff_id: staffId,
      passkey_id: passkeyId,
      browser,
      created_at: at,
      last_seen_at: at,
    })
    .execute()
  return token
}

/** The member of an active session. Disabling a member or revoking their passkey ends access immediately. */
export async function findStaffSession(db: Database, token: string, at: Date): Promise<StaffSession | null> {
  const found = await db
    .selectFrom('staff_sessions')
    .innerJoin('staff', 'staff.id', 'staff_sessions.staff_id')
    .innerJoin('passkeys', 'passkeys.id', 'staff_sessions.passkey_id')
    .select(['staff_sessions.id', 'last_seen_at', 'staff.id as staff_id', 'staff.name', 'staff.role'])
    .where('token_hash', '=', hashToken(token))
    .where('ended_at', 'is', null)
    .where('last_seen_at', '>', before(at, staffSession.idleSeconds))
    .where('staff_sessions.created_at', '>', before(at, staffSession.wholeSeconds))
    .where('disabled_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (!found) return null
  if (at.getTime() - found.last_seen_at.getTime() > seenResolutionMs)
    await db.updateTable('staff_sessions').set({ last_seen_at: at }).where('id', '=', found.id).execute()
  return { id: found.id, token, member: { id: found.staff_id, name: found.name, role: found.role } }
}

/** Ends one or all sessions of a member and returns how many. */
export async function endStaffSessions(
  tx: Transaction,
  { staffId, id, at }: { staffId: string; id?: string; at: Date },
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('staff_sessions')
    .set({ ended_at: at })
    .where('staff_id', '=', staffId)
    .where('ended_at', 'is', null)
    .$if(id !== undefined, (query) => query.where('id', '=', String(id)))
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

const before = (at: Date, seconds: number) => new Date(at.getTime() - seconds * 1_000)

/** What expires of the staff's work. A session that ended counts from its end. */
export const staffPurges = {
  'spent-challenges': (db, at) =>
    deleteInBatches(db, 'spent_challenges', sql`spent_at < ${expiryCutoff('spent-challenges', at)}`),
  'staff-sessions': (db, at) => {
    const cutoff = expiryCutoff('staff-sessions', at)
    return deleteInBatches(
      db,
      'staff_sessions',
      sql`created_at < ${cutoff} and coalesce(ended_at, last_seen_at) < ${cutoff}`,
    )
  },
  'desk-claims': (db, at) => deleteInBatches(db, 'desk_claims', sql`expires_at < ${expiryCutoff('desk-claims', at)}`),
  'desk-skips': (db, at) => deleteInBatches(db, 'desk_skips', sql`until < ${expiryCutoff('desk-skips', at)}`),
} satisfies Partial<Record<PurgedName, Purge>>
