import type { Transaction } from '../platform/database.ts'
import type { Booked } from './book-transfer.ts'
import { giveBack, type Returned } from './give-back.ts'
import { type Taken, takeOrOwe } from './take-or-owe.ts'

/**
 * Takes, once, what goes back to whoever paid: from the prepaid balance as far as it reaches. The rest is a debt, for
 * money that somebody has sent back in the provider's own pages though it was spent.
 */
export const payOut = (tx: Transaction, taken: Taken): Promise<Booked> =>
  takeOrOwe(tx, taken, { to: 'provider_clearing', reason: 'payout' })

/** Gives back, once, what was to be paid out and could not be. */
export const returnPayout = (tx: Transaction, returned: Returned): Promise<Booked> =>
  giveBack(tx, returned, { from: 'provider_clearing', taken: 'payout', returned: 'payout_return' })
