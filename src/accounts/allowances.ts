import { sql } from 'kysely'
import type { AllowanceName, PaymentPageCount } from '../contract/limits.ts'
import { expiryCutoff } from '../contract/retention/periods.ts'
import { utcDay } from '../contract/time/utc-day.ts'
import type { Database, Transaction } from '../platform/database/database.ts'
import { inBatches, type Purge } from '../platform/repeat.ts'

export type Use<Name extends string = AllowanceName> = { allowance: Name; subject: string; at: Date }

/**
 * Counts one use and returns today's count. If the daily allowance is used up, counts nothing and returns null. This is
 * one guarded statement, so two parallel calls cannot both take the last use.
 */
export async function takeUse(
  db: Database,
  { allowance, subject, at }: Use<AllowanceName | PaymentPageCount>,
  max: number,
): Promise<number | null> {
  const taken = await db
    .insertInto('allowance_uses')
    .values({ allowance, subject, day: utcDay(at), used: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'allowance', 'subject'])
        .doUpdateSet((row) => ({ used: row('allowance_uses.used', '+', 1) }))
        .where('allowance_uses.used', '<', max),
    )
    .returning('used')
    .executeTakeFirst()
  return taken?.used ?? null
}

/**
 * Counts up to `wanted` uses, as many as the allowance has left, and returns how many. Runs in the transaction of the
 * work, so that a rollback returns them.
 */
export async function takeUses(tx: Transaction, use: Use, { wanted, max }: { wanted: number; max: number }) {
  const { allowance, subject, at } = use
  const { rows } = await sql<{ taken: number }>`
    select take_uses(${allowance}, ${subject}, ${utcDay(at)}, ${wanted}, ${max}) as taken`.execute(tx)
  return rows[0]?.taken ?? 0
}

/** Returns today's count without counting a use. */
export async function readUses(db: Database, { allowance, subject, at }: Use): Promise<number> {
  const row = await db
    .selectFrom('allowance_uses')
    .select('used')
    .where('day', '=', utcDay(at))
    .where('allowance', '=', allowance)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return row?.used ?? 0
}

/** Undoes one use, because a call that was rejected or failed does not count. */
export async function returnUse(db: Database, { allowance, subject, at }: Use<AllowanceName>): Promise<void> {
  await db
    .updateTable('allowance_uses')
    .set((row) => ({ used: row('used', '-', 1) }))
    .where('day', '=', utcDay(at))
    .where('allowance', '=', allowance)
    .where('subject', '=', subject)
    .where('used', '>', 0)
    .execute()
}

/** Deletes the counts of past days, which would reveal who was active. Keeps yesterday's, because clocks differ. */
export const deleteExpiredAllowances: Purge = (db, at) =>
  inBatches(
    db,
    (batch) => sql`
      delete from allowance_uses where (day, allowance, subject) in (
        select day, allowance, subject from allowance_uses
        where day < ${utcDay(expiryCutoff('allowance-uses', at))} limit ${batch}
      )`,
  )
