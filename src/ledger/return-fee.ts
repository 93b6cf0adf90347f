import type { Transaction } from '../platform/database.ts'
import { bookTransfer } from './book-transfer.ts'
import { notReturned } from './not-returned.ts'

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
