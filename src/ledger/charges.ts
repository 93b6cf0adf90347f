import type { Database, Transaction } from '../platform/database/database.ts'
import { type Booked, bookTransfer, notReturned } from './transfers.ts'

export type NewCharge = {
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
  { accountId, keyId, amountMicros, reason, subject, at }: NewCharge,
): Promise<Booked> {
  return bookTransfer(db, { accountId, keyId, from: 'prepaid', to: 'revenue', amountMicros, reason, subject, at })
}

export type Refund = { accountId: string; amountMicros: number; subject: string; at: Date }

/** Gives back, once, of what was charged for the subject; beyond that throws RefundTooLarge. */
export function refund(db: Database | Transaction, { accountId, amountMicros, subject, at }: Refund): Promise<Booked> {
  return bookTransfer(db, { accountId, from: 'refunds', to: 'prepaid', amountMicros, reason: 'refund', subject, at })
}

type Returned = { accountId: string; subject: string; at: Date }

/** By what a fee comes back: a refund, or the return of one that waited too long for a person. */
export const feeReturns = ['refund', 'review_return'] as const

/** What was charged for a post or an edit and has not come back. */
export const keptFee = (tx: Transaction, { accountId, subject }: Omit<Returned, 'at'>): Promise<number> =>
  notReturned(tx, { accountId, subject, taken: ['post', 'edit'], returned: feeReturns })

/** Returns, once, the whole fee of what waits for a person. Gives the amount. */
export async function returnFee(tx: Transaction, { accountId, subject, at }: Returned): Promise<number> {
  const amountMicros = await keptFee(tx, { accountId, subject })
  if (amountMicros === 0) return 0
  const transfer = { accountId, amountMicros, subject, at, reason: 'review_return' as const }
  await bookTransfer(tx, { ...transfer, from: 'refunds', to: 'prepaid' })
  return amountMicros
}

/** What of the fee was returned while it waited for a person. */
export async function feeReturnedInReview(
  tx: Transaction,
  { accountId, subject }: Omit<Returned, 'at'>,
): Promise<number> {
  const transfer = await tx
    .selectFrom('ledger_transfers')
    .select('amount_micros')
    .where('subject', '=', subject)
    .where('account_id', '=', accountId)
    .where('reason', '=', 'review_return')
    .executeTakeFirst()
  return transfer?.amount_micros ?? 0
}
