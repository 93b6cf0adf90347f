import { sql } from 'kysely'
import type { AllowanceName } from '../contract/limits.ts'
import type { Database } from '../platform/database.ts'

type Use = { allowance: AllowanceName; subject: string; max: number; at: Date }

/** Counts one use, unless the day's allowance is used up. One guarded statement, so parallel calls cannot both take the last. */
export async function takeAllowance(db: Database, { allowance, subject, max, at }: Use): Promise<boolean> {
  await forgetOldDays(db, at)
  const taken = await db
    .insertInto('allowance_uses')
    .values({ allowance, subject, day: utcDay(at), used: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['day', 'allowance', 'subject'])
        .doUpdateSet((row) => ({ used: row('allowance_uses.used', '+', 1) }))
        .where('allowance_uses.used', '<', max),
    )
    .executeTakeFirst()
  return taken.numInsertedOrUpdatedRows === 1n
}

/** Drops a few rows of days that are over: they name addresses, and nobody needs them. Yesterday stays for clocks that differ. */
async function forgetOldDays(db: Database, at: Date): Promise<void> {
  const yesterday = utcDay(new Date(at.getTime() - 86_400_000))
  await sql`
    delete from allowance_uses where (day, allowance, subject) in (
      select day, allowance, subject from allowance_uses where day < ${yesterday} limit 100
      for update skip locked
    )`.execute(db)
}

/** Gives one use back: a call that was refused does not count. */
export async function returnAllowance(db: Database, { allowance, subject, at }: Omit<Use, 'max'>): Promise<void> {
  await db
    .updateTable('allowance_uses')
    .set((row) => ({ used: row('used', '-', 1) }))
    .where('day', '=', utcDay(at))
    .where('allowance', '=', allowance)
    .where('subject', '=', subject)
    .where('used', '>', 0)
    .execute()
}

const utcDay = (at: Date): string => at.toISOString().slice(0, 10)

/** Seconds until the next UTC day: when a daily allowance starts anew. */
export const secondsToMidnight = (at: Date): number => 86_400 - (Math.floor(at.getTime() / 1_000) % 86_400)
