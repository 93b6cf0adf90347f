import type { Transaction } from '../platform/database.ts'
import type { Booked } from './book-transfer.ts'
import { giveBack, type Returned } from './give-back.ts'

/** Gives back, once, all that a penalty took: to the debt as far as one stands, the rest to the prepaid balance. */
export const returnPenalty = (tx: Transaction, returned: Returned): Promise<Booked> =>
  giveBack(tx, returned, { from: 'penalties', taken: 'penalty', returned: 'penalty_return' })
