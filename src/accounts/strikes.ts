import { sql } from 'kysely'
import type { Transaction } from '../platform/database.ts'

/** At so many strikes the account is banned. */
export const strikesToBan = 3

/** Adds a strike; the third bans the account. */
export async function addStrike(tx: Transaction, accountId: string): Promise<void> {
  await sql`
    update accounts set
      strikes = strikes + 1,
      standing = case when strikes + 1 >= ${strikesToBan}::integer and standing = 'good' then 'banned' else standing end,
      banned_for_strikes = banned_for_strikes or (strikes + 1 >= ${strikesToBan}::integer and standing = 'good')
    where id = ${accountId}`.execute(tx)
}

/** Takes a strike back. A ban that strikes alone brought ends with it; an operator's stays. */
export async function takeStrikeBack(tx: Transaction, accountId: string): Promise<void> {
  await sql`
    update accounts set
      strikes = strikes - 1,
      standing = case when banned_for_strikes and strikes - 1 < ${strikesToBan}::integer and standing = 'banned'
        then 'good' else standing end,
      banned_for_strikes = banned_for_strikes and strikes - 1 >= ${strikesToBan}::integer
    where id = ${accountId} and strikes > 0`.execute(tx)
}
