import type { Database, Transaction } from '../platform/database.ts'
import { type Booked, bookTransfer } from './book-transfer.ts'

export type Refund = { accountId: string; amountMicros: number; subject: string; at: Date }

/** Gives back, once, of what was charged for the subject; beyond that throws RefundTooLarge. */
export function refund(db: Database | Transaction, { accountId, amountMicros, subject, at }: Refund): Promise<Booked> {
  return bookTransfer(db, { accountId, from: 'refunds', to: 'prepaid', amountMicros, reason: 'refund', subject, at })
}
