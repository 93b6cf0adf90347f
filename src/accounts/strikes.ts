import { sql } from 'kysely'
import type { Transaction } from '../platform/database/database.ts'

/** At so many strikes the account is banned. */
export const strikesToBan = 3

/** The refusal that a strike is for: of a post (edit 0) or of one of its edits. */
type Refusal = { accountId: string; postId: string; edit: number }

/** Adds a strike; the third bans the account. */
export async function addStrike(tx: Transaction, { accountId, postId, edit, at }: Refusal & { at: Date }) {
  await sql`select add_strike(${accountId}, ${strikesToBan}, ${postId}, ${edit}::smallint, ${at})`.execute(tx)
}

/** Takes a strike back. A ban that strikes alone brought ends with it; an operator's stays. */
export async function takeStrikeBack(tx: Transaction, { accountId, postId, edit }: Refusal): Promise<void> {
  await sql`select take_strike_back(${accountId}, ${strikesToBan}, ${postId}, ${edit}::smallint)`.execute(tx)
}
