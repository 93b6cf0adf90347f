import { sql } from 'kysely'
import type { Transaction } from '../platform/database/database.ts'

/** The number of strikes that bans an account. */
export const strikesToBan = 3

/** Whether one more strike bans the account. The function `add_strike` in the database applies the same rule. */
export const nextStrikeBans = ({ strikes, standing }: { strikes: number; standing: string }): boolean =>
  standing === 'good' && strikes + 1 >= strikesToBan

/** The rejected or removed version that caused the strike: `edit` is 0 for the post as submitted. */
type Refusal = { accountId: string; postId: string; edit: number }

/** Adds a strike. The third strike bans the account. */
export async function addStrike(tx: Transaction, { accountId, postId, edit, at }: Refusal & { at: Date }) {
  await sql`select add_strike(${accountId}, ${strikesToBan}, ${postId}, ${edit}::smallint, ${at})`.execute(tx)
}

/** Removes a strike. This ends a ban that came from strikes alone; an operator's ban stays. */
export async function takeStrikeBack(tx: Transaction, { accountId, postId, edit }: Refusal): Promise<void> {
  await sql`select take_strike_back(${accountId}, ${strikesToBan}, ${postId}, ${edit}::smallint)`.execute(tx)
}
