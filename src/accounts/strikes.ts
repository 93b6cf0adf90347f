import { sql } from 'kysely'
import type { Transaction } from '../platform/database.ts'

/** At so many strikes the account is banned. */
export const strikesToBan = 3

/** Adds a strike; the third bans the account. */
export async function addStrike(tx: Transaction, accountId: string): Promise<void> {
  await sql`select add_strike(${accountId}, ${strikesToBan})`.execute(tx)
}

/** Takes a strike back. A ban that strikes alone brought ends with it; an operator's stays. */
export async function takeStrikeBack(tx: Transaction, accountId: string): Promise<void> {
  await sql`select take_strike_back(${accountId}, ${strikesToBan})`.execute(tx)
}
