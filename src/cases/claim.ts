import { sql } from 'kysely'
import { desk } from '../contract/limits.ts'
import { type Database, inTransaction, type Transaction } from '../platform/database/database.ts'
import { recordStaffAction } from '../staff/audit-log.ts'
import type { CaseKind } from './case-kinds.ts'
import { findCase, listCases, refreshCases } from './queue.ts'

type Holder = { staffId: string; at: Date }
type Held = Holder & { key: string }

/** The number of candidates to try per claim. More than one, because others may claim some of them first. */
const candidates = 25

/**
 * Claims the first case in this person's queue, optionally of one kind, and returns its key; null if none is left. If
 * they have already claimed a case, returns that one again.
 */
export function claimNext(db: Database, { staffId, at, kind }: Holder & { kind?: CaseKind }): Promise<string | null> {
  return inTransaction(db, async (tx) => {
    const held = await heldBy(tx, { staffId, at })
    if (held) {
      // Renews the claim, which may be about to expire.
      await hold(tx, { key: held, staffId, at })
      return held
    }
    const asked = { staffId, at, limit: candidates, free: true, ...(kind && { kind }) }
    for (const { key, post_id } of await listCases(tx, asked)) {
      const taken = await take(tx, { key, staffId, at })
      if (taken === 'claimed') return key
      if (taken === 'gone') await refreshCases(tx, post_id)
    }
    return null
  })
}

/** Claims this case, unless someone else has claimed it. */
export function claimCase(db: Database, held: Held): Promise<'claimed' | 'taken' | 'barred' | 'gone'> {
  return inTransaction(db, (tx) => take(tx, held))
}

async function take(tx: Transaction, held: Held): Promise<'claimed' | 'taken' | 'barred' | 'gone'> {
  if (!(await hold(tx, held))) return 'taken'
  // Read after the claim, because now nobody else can decide the case.
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

/** Claims the case or renews the claim, which keeps its start time. False if someone else has claimed the case. */
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

/** Renews the claim while the case is open in the browser. False if the claim has ended. */
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

/** Returns the case to the queue and hides it from this person for a while. */
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

/** Releases someone else's claim, for example if they went home with a case open. False if there was none. */
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

/** The case that this person has claimed and can decide. */
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
