import { staffSession } from '../contract/limits.ts'
import { enqueue } from '../jobs/enqueue.ts'
import type { Database, Transaction } from '../platform/database/database.ts'
import type { StaffRole } from './roles.ts'
import { endStaffSessions } from './sessions.ts'

type Invitation = { id: string; name: string; email: string; role: StaffRole; at: Date }

/** Adds a member and has a link mailed to them; false when a member has that mailbox already. */
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

/** Has a link mailed by which the member can add a passkey. Those that were mailed before open nothing any more. */
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

/** Revokes every passkey of a member and ends their sessions: the next click asks them to sign in. */
export async function revokePasskeys(tx: Transaction, { staffId, at }: { staffId: string; at: Date }) {
  const { numUpdatedRows } = await tx
    .updateTable('passkeys')
    .set({ revoked_at: at })
    .where('staff_id', '=', staffId)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
  return { passkeys: Number(numUpdatedRows), sessions: await endStaffSessions(tx, { staffId, at }) }
}

/**
 * Ends a membership; null when it had ended already. What the member decided stays and is carried out; what they hold
 * lapses with its lease.
 */
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
 * The roles of those who still work here, which nobody changes until the end of the transaction. In the order of their
 * ids: of two members that act on each other, the second waits for the first.
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

/** Gives a member another role, from their next click on. The one before; null when nothing was to be changed. */
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

/** Who works here, by name, and how they come in. Those who have left come last. */
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

/** The member that has this mailbox now. */
export function findMember(db: Database, email: string) {
  return db
    .selectFrom('staff')
    .select(['id', 'name', 'email', 'role'])
    .where((where) => where(where.fn<string>('lower', ['email']), '=', email.toLowerCase()))
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
}

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
