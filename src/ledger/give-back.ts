import type { Transaction } from '../platform/database.ts'
import type { LedgerBook, LedgerReason } from '../platform/database-types.ts'
import { lockBalance } from './balance.ts'
import { type Booked, bookTransfer, type SplitReason } from './book-transfer.ts'
import { notReturned } from './not-returned.ts'

export type Returned = { accountId: string; subject: string; at: Date }

/** Gives back, once, all that was taken for a subject: to the debt as far as one stands, the rest to the prepaid balance. */
export async function giveBack(
  tx: Transaction,
  { accountId, subject, at }: Returned,
  { from, taken, returned }: { from: LedgerBook; taken: SplitReason; returned: LedgerReason },
): Promise<Booked> {
  const { owedMicros } = await lockBalance(tx, accountId)
  const amountMicros = await notReturned(tx, { accountId, subject, taken: [taken], returned: [returned] })
  const parts = [
    { to: 'owed' as const, amountMicros: Math.min(owedMicros, amountMicros) },
    { to: 'prepaid' as const, amountMicros: Math.max(0, amountMicros - owedMicros) },
  ].filter((part) => part.amountMicros > 0)
  for (const [part, target] of parts.entries())
    await bookTransfer(tx, { accountId, from, reason: returned, subject, part, at, ...target })
  return parts.length > 0 ? 'done' : 'already'
}
