import type { Database, Transaction } from '../platform/database/database.ts'
import { type Booked, bookTransfer, notReturned } from './transfers.ts'

export type NewCharge = {
  accountId: string
  /** The key that spends the amount and whose cap applies; null if there is none. */
  keyId: string | null
  amountMicros: number
  reason: 'post' | 'edit' | 'search'
  subject: string
  at: Date
}

/** Charges the prepaid balance, once per subject, or throws BalanceTooLow or KeyCapReached. */
export function charge(
  db: Database | Transaction,
  { accountId, keyId, amountMicros, reason, subject, at }: NewCharge,
): Promise<Booked> {
  return bookTransfer(db, { accountId, keyId, from: 'prepaid', to: 'revenue', amountMicros, reason, subject, at })
}

export type Refund = { accountId: string; amountMicros: number; subject: string; at: Date }

/** Refunds an amount that was charged for the subject, once. Throws RefundTooLarge if it exceeds the charge. */
export function refund(db: Database | Transaction, { accountId, amountMicros, subject, at }: Refund): Promise<Booked> {
  return bookTransfer(db, { accountId, from: 'refunds', to: 'prepaid', amountMicros, reason: 'refund', subject, at })
}

type Returned = { accountId: string; subject: string; at: Date }

/** How a fee is returned: as a refund, or because a review took too long. */
export const feeReturns = ['refund', 'review_return'] as const

/** The charge for a post or an edit, minus refunds. */
export const keptFee = (tx: Transaction, { accountId, subject }: Omit<Returned, 'at'>): Promise<number> =>
  notReturned(tx, { accountId, subject, taken: ['post', 'edit'], returned: feeReturns })

/** Books the return of a post's whole fee during its review, once. The result is the amount. */
export async function returnFee(tx: Transaction, { accountId, subject, at }: Returned): Promise<number> {
  const amountMicros = await keptFee(tx, { accountId, subject })
  if (amountMicros === 0) return 0
  const transfer = { accountId, amountMicros, subject, at, reason: 'review_return' as const }
  await bookTransfer(tx, { ...transfer, from: 'refunds', to: 'prepaid' })
  return amountMicros
}

/** The amount of the fee that was returned during the review. */
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
