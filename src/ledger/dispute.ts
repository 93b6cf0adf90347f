import type { Transaction } from '../platform/database.ts'
import { type Booked, bookTransfer } from './book-transfer.ts'
import { giveBack, type Returned } from './give-back.ts'
import { type Taken, takeOrOwe } from './take-or-owe.ts'

/** Holds a disputed amount back, once: from the prepaid balance as far as it reaches, the rest as a debt. */
export const holdDisputed = (tx: Transaction, taken: Taken): Promise<Booked> =>
  takeOrOwe(tx, taken, { to: 'disputed', reason: 'dispute' })

/** The dispute was won: gives back, once, all that was held. */
export const returnDisputed = (tx: Transaction, returned: Returned): Promise<Booked> =>
  giveBack(tx, returned, { from: 'disputed', taken: 'dispute', returned: 'dispute_return' })

type Lost = Omit<Taken, 'accountId'>

/** The dispute was lost: what was held has left through the provider. No book of the customer's is touched. */
export const loseDisputed = (tx: Transaction, lost: Lost): Promise<Booked> =>
  bookTransfer(tx, { ...lost, accountId: null, from: 'disputed', to: 'provider_clearing', reason: 'dispute_loss' })

/** It was lost, and then won on appeal: what had left has come back, and is given back next. */
export const regainDisputed = (tx: Transaction, lost: Lost): Promise<Booked> =>
  bookTransfer(tx, {
    ...lost,
    accountId: null,
    from: 'provider_clearing',
    to: 'disputed',
    reason: 'dispute_loss',
    part: 1,
  })
