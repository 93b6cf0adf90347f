import { Problem } from '../contract/problem.ts'
import type { Kind } from '../kinds/index.ts'
import type { Transaction } from '../platform/database.ts'

/** Refuses what is right at other times, such as an event that is over. */
export function assertTimely(kind: Kind, body: object, at: Date): void {
  const errors = kind.faultsAt(body, at)
  if (errors.length > 0)
    throw new Problem('validation_failed', 'The body does not fit this moment.', { members: { errors } })
}

/** Refuses an account that was banned since it was let in. */
export async function assertGoodStanding(tx: Transaction, accountId: string): Promise<void> {
  const account = await tx.selectFrom('accounts').select('standing').where('id', '=', accountId).executeTakeFirst()
  if (account?.standing !== 'good') throw standingLost()
}

export const standingLost = () => new Problem('account_banned', 'The account lost its good standing a moment ago.')
