import type { Database, Transaction } from '../platform/database.ts'
import { type Booked, bookTransfer } from './book-transfer.ts'

export type Charge = {
  accountId: string
  /** Which key spends it, and is held to its cap; null where none does. */
  keyId: string | null
  amountMicros: number
  reason: 'post' | 'edit' | 'search'
  subject: string
  at: Date
}

/** Takes the money from the prepaid balance, once for each subject, or throws BalanceTooLow or KeyCapReached. */
export function charge(
  db: Database | Transaction,
  { accountId, keyId, amountMicros, reason, subject, at }: Charge,
): Promise<Booked> {
  return bookTransfer(db, { accountId, keyId, from: 'prepaid', to: 'revenue', amountMicros, reason, subject, at })
}
