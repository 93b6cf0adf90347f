import type { Database, Transaction } from '../platform/database.ts'
import { type Booked, bookTransfer } from './book-transfer.ts'

export type Charge = {
  accountId: string
  amountMicros: number
  reason: 'post' | 'edit' | 'search'
  subject: string
  at: Date
}

/** Takes the money from the prepaid balance, once for each subject, or throws BalanceTooLow. */
export function charge(
  db: Database | Transaction,
  { accountId, amountMicros, reason, subject, at }: Charge,
): Promise<Booked> {
  return bookTransfer(db, { accountId, from: 'prepaid', to: 'revenue', amountMicros, reason, subject, at })
}
