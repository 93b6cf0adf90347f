import { sql } from 'kysely'
import { desk } from '../contract/limits.ts'
import { type Database, inTransaction, type Transaction } from '../platform/database/database.ts'
import { recordStaffAction } from '../staff/audit-log.ts'
import type { CaseKind } from './case-kinds.ts'
import { findCase, listCases } from './queue.ts'

type Holder = { staffId: string; at: Date }
type Held = Holder & { key: string }

/** Others may be first at some of them: so many are looked at in one go. */
const candidates = 25

/**
 * Holds the case that comes first for this person, of one kind if one is named, and gives its key; null when nothing is
 * left. What they hold is given again.
 */
export function claimNext(db: Database, { staffId, at, kind }: Holder & { kind?: CaseKind }): Promise<string | null> {
  return inTransaction(db, async (tx) => {
    const held = await heldBy(tx, { staffId, at })
    if (held) {
      // They are back at it: the time that is left may be short.
      await hold(tx, { key: held, staffId, at })
      return held
    }
    for (const { key } of await listCases(tx, { staffId, at, limit: candidates, free: true, ...(kind && { kind }) }))
      if ((await take(tx, { key, staffId, at })) === 'claimed') return key
    return null
  })
}

/** Holds this very case, unless another does. */
export function claimCase(db: Database, held: Held): Promise<'claimed' | 'taken' | 'barred' | 'gone'> {
  return inTransaction(db, (tx) => take(tx, held))
}

async function take(tx: Transaction, held: Held): Promise<'claimed' | 'taken' | 'barred' | 'gone'> {
  if (!(await hold(tx, held))) return 'taken'
  // Looked at after it is held: from here on nobody else decides it.
  const found = await findCase(tx, held)
  if (found && !found.barred) {
    await recordStaffAction(tx, {
      ...held,
      action: 'case.claim',
      accountId: found.account_id,
      details: { case: held.key },
    })
    return 'claimed'
  }
  await letGo(tx, held)
  return found ? 'barred' : 'gone'
}

/** True when it is this person's now. The time since which they hold it stays, when they did already. */
export async function hold(tx: Transaction, { key, staffId, at }: Held): Promise<boolean> {
  const { rows } = await sql<{ case_key: string }>`
    insert into desk_claims (case_key, staff_id, claimed_at, expires_at)
    values (${key}, ${staffId}, ${at}, ${leaseEnd(at)})
    on conflict (case_key) do update set
      staff_id = excluded.staff_id,
      claimed_at = case when desk_claims.staff_id = excluded.staff_id then desk_claims.claimed_at else excluded.claimed_at end,
      expires_at = excluded.expires_at
    where desk_claims.staff_id = excluded.staff_id or desk_claims.expires_at <= ${at}
    returning case_key`.execute(tx)
  return rows.length === 1
}

/** While the page is open, it asks for more time. False when the case is not theirs any more. */
export async function renewClaim(db: Database, { key, staffId, at }: Held): Promise<boolean> {
  const renewed = await db
    .updateTable('desk_claims')
    .set({ expires_at: leaseEnd(at) })
    .where('case_key', '=', key)
    .where('staff_id', '=', staffId)
    .where('expires_at', '>', at)
    .executeTakeFirst()
  return renewed.numUpdatedRows === 1n
}

/** Gives the case back, and does not offer it to the same person for a while. */
export function skipCase(db: Database, held: Held): Promise<void> {
  const { key, staffId, at } = held
  return inTransaction(db, async (tx) => {
    const found = await findCase(tx, held)
    if (!found) return
    await letGo(tx, held)
    const until = new Date(at.getTime() + desk.skipSeconds * 1_000)
    await tx
      .insertInto('desk_skips')
      .values({ case_key: key, staff_id: staffId, until })
      .onConflict((conflict) => conflict.columns(['case_key', 'staff_id']).doUpdateSet({ until }))
      .execute()
    await recordStaffAction(tx, { ...held, action: 'case.skip', accountId: found.account_id, details: { case: key } })
  })
}

/** Ends another's claim, as when they went home with a case on their screen. False when there was none. */
export function freeClaim(db: Database, held: Held): Promise<boolean> {
  const { key } = held
  return inTransaction(db, async (tx) => {
    const found = await findCase(tx, held)
    const freed = await tx
      .deleteFrom('desk_claims')
      .where('case_key', '=', key)
      .returning('staff_id')
      .executeTakeFirst()
    if (!freed) return false
    const details = { case: key, held_by: freed.staff_id }
    await recordStaffAction(tx, { ...held, action: 'case.free', accountId: found?.account_id ?? null, details })
    return true
  })
}

export async function letGo(tx: Transaction, { key, staffId }: Pick<Held, 'key' | 'staffId'>): Promise<void> {
  await tx.deleteFrom('desk_claims').where('case_key', '=', key).where('staff_id', '=', staffId).execute()
}

const leaseEnd = (at: Date) => new Date(at.getTime() + desk.leaseSeconds * 1_000)

/** What this person holds and can still decide. */
async function heldBy(tx: Transaction, { staffId, at }: Holder): Promise<string | undefined> {
  const claims = await tx
    .selectFrom('desk_claims')
    .select('case_key')
    .where('staff_id', '=', staffId)
    .where('expires_at', '>', at)
    .orderBy('claimed_at')
    .execute()
  for (const { case_key: key } of claims) {
    const found = await findCase(tx, { key, staffId, at })
    if (found && !found.barred) return key
  }
  return undefined
}
