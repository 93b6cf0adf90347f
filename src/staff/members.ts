import { staffSession } from '../contract/limits.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { Database, Transaction } from '../platform/database/database.ts'
import type { StaffRole } from './roles.ts'
import { endStaffSessions } from './sessions.ts'

type Invitation = { id: string; name: string; email: string; role: StaffRole; at: Date }

/** Adds a member and emails them a link; false if a member already has this email address. */
export async function inviteMember(tx: Transaction, { id, name, email, role, at }: Invitation): Promise<boolean> {
  const invited = await tx
    .insertInto('staff')
    .values({ id, name, email, role, invited_at: at })
    .onConflict((known) => known.doNothing())
    .executeTakeFirst()
  if (invited.numInsertedOrUpdatedRows !== 1n) return false
  await askForStaffLink(tx, { staffId: id, at })
  return true
}

/** Emails a link that lets the member add a passkey. Earlier links become invalid. */
export async function askForStaffLink(tx: Transaction, { staffId, at }: { staffId: string; at: Date }): Promise<void> {
  await tx
    .updateTable('staff_links')
    .set({ expires_at: at })
    .where('staff_id', '=', staffId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .execute()
  const { id } = await tx
    .insertInto('staff_links')
    .values({ staff_id: staffId, asked_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  await enqueue(tx, 'mail-staff-link', { link_id: id })
}

/** Revokes all passkeys of a member and ends their sessions. Their next request asks them to sign in. */
export async function revokePasskeys(tx: Transaction, { staffId, at }: { staffId: string; at: Date }) {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ revoked_at: at })
    .where('staff_id', '=', staffId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return { passkeys: Number(numUpdatedRows), sessions: await endStaffSessions(tx, { staffId, at }) }
}

/** Disables a member; null if they were already disabled. Their decisions stay and are applied; their claims expire. */
export async function disableMember(tx: Transaction, { staffId, at }: { staffId: string; at: Date }) {
  const { numUpdatedRows } = await tx
    .updateTable('staff')
    .set({ disabled_at: at })
    .where('id', '=', staffId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n ? revokePasskeys(tx, { staffId, at }) : null
}

/**
 * The roles of active members, locked until the transaction ends. The rows are locked in id order, so that if two
 * members change each other, the second waits for the first.
 */
export async function holdMembers(tx: Transaction, ids: readonly string[]): Promise<Map<string, StaffRole>> {
  const held = await tx
    .selectFrom('staff')
    .select(['id', 'role'])
    .where('id', 'in', ids)
    .where('disabled_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute()
  return new Map(held.map(({ id, role }) => [id, role]))
}

/** Changes a member's role, effective from their next request. Returns the previous role; null if nothing changed. */
export async function changeRole(tx: Transaction, { staffId, role }: { staffId: string; role: StaffRole }) {
  const before = await tx
    .selectFrom('staff')
    .select('role')
    .where('id', '=', staffId)
    .where('disabled_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  if (!before || before.role === role) return null
  await tx.updateTable('staff').set({ role }).where('id', '=', staffId).execute()
  return before.role
}

export type ListedMember = Awaited<ReturnType<typeof listMembers>>[number]

/** All members by name with their access details. Former members come last. */
export function listMembers(db: Database, id?: string) {
  return db
    .selectFrom('staff')
    .select((staff) => [
      'staff.id',
      'name',
      'email',
      'role',
      'invited_at',
      'disabled_at',
      staff
        .selectFrom('passkeys')
        .select((passkeys) => passkeys.fn.countAll<number>().as('count'))
        .whereRef('passkeys.staff_id', '=', 'staff.id')
        .where('revoked_at', 'is', null)
        .$asScalar()
        .$notNull()
        .as('passkeys'),
      staff
        .selectFrom('staff_sessions')
        .select((sessions) => sessions.fn.max('last_seen_at').as('latest'))
        .whereRef('staff_sessions.staff_id', '=', 'staff.id')
        .as('last_seen_at'),
    ])
    .$if(id !== undefined, (query) => query.where('staff.id', '=', String(id)))
    .orderBy('disabled_at', (order) => order.desc().nullsFirst())
    .orderBy('name')
    .orderBy('staff.id')
    .limit(200)
    .execute()
}

/** The active member with this email address. */
export function findMember(db: Database, email: string) {
  return db
    .selectFrom('staff')
    .select(['id', 'name', 'email', 'role'])
    .where((where) => where(where.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
}

/** A member's active passkeys. */
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

/** The open sessions of one member or of everyone, latest first. */
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
