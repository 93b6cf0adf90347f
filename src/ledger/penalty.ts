import type { Transaction } from '../platform/database.ts'
import type { Booked } from './book-transfer.ts'
import { type Taken, takeOrOwe } from './take-or-owe.ts'

/** Takes a penalty once: from the prepaid balance as far as it reaches, the rest as a debt. */
export const penalty = (tx: Transaction, taken: Taken): Promise<Booked> =>
  takeOrOwe(tx, taken, { to: 'penalties', reason: 'penalty' })
