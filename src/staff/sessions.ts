import { sql } from 'kysely'
import { browserSessions } from '../accounts/sign-in/browser-sessions.ts'
import { staffSession } from '../contract/limits.ts'
import { expiryCutoff, type PurgedName } from '../contract/retention/periods.ts'
import type { Database, Transaction } from '../platform/database/database.ts'
import { deleteInBatches, type Purge } from '../platform/repeat.ts'
import type { StaffRole } from './roles.ts'

const sessions = browserSessions({ table: 'staff_sessions', holder: 'staff_id', ...staffSession })

type StaffMember = { id: string; name: string; role: StaffRole }
export type StaffSession = { id: string; token: string; member: StaffMember }

type NewSession = { staffId: string; passkeyId: string; browser: string; at: Date }

/** Starts a session with a new random token. */
export async function startStaffSession(tx: Transaction, { staffId, passkeyId, browser, at }: NewSession) {
  const { token, row } = sessions.create(browser, at)
  await tx
    .insertInto('staff_sessions')
    .values({ ...row, staff_id: staffId, passkey_id: passkeyId })
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
    .where(sessions.hasToken(token))
    .where(sessions.isValid(at))
    .where('disabled_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  if (!found) return null
  await sessions.touch(db, found, at)
  return { id: found.id, token, member: { id: found.staff_id, name: found.name, role: found.role } }
}

/** Ends one or all sessions of a member and returns how many. */
export const endStaffSessions = (
  tx: Transaction,
  { staffId, id, at }: { staffId: string; id?: string; at: Date },
): Promise<number> => sessions.end(tx, { of: staffId, id, at })

/** The deletion of expired sessions, challenges, claims and skips. */
export const staffPurges = {
  'spent-challenges': (db, at) =>
    deleteInBatches(db, 'spent_challenges', sql`spent_at < ${expiryCutoff('spent-challenges', at)}`),
  'staff-sessions': (db, at) =>
    deleteInBatches(db, 'staff_sessions', sessions.endedBefore(expiryCutoff('staff-sessions', at))),
  'desk-claims': (db, at) => deleteInBatches(db, 'desk_claims', sql`expires_at < ${expiryCutoff('desk-claims', at)}`),
  'desk-skips': (db, at) => deleteInBatches(db, 'desk_skips', sql`until < ${expiryCutoff('desk-skips', at)}`),
} satisfies Partial<Record<PurgedName, Purge>>
