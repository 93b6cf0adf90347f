import type { Transaction } from '../platform/database.ts'
import { lockBalance } from './balance.ts'
import { type Booked, bookTransfer } from './book-transfer.ts'
import { notReturned } from './not-returned.ts'

/** Gives back, once, all that a penalty took: to the debt as far as one stands, the rest to the prepaid balance. */
export async function returnPenalty(
  tx: Transaction,
  { accountId, subject, at }: { accountId: string; subject: string; at: Date },
): Promise<Booked> {
  const { owedMicros } = await lockBalance(tx, accountId)
  const amountMicros = await notReturned(tx, { accountId, subject, taken: ['penalty'], returned: 'penalty_return' })
  const parts = [
    { to: 'owed' as const, amountMicros: Math.min(owedMicros, amountMicros) },
    { to: 'prepaid' as const, amountMicros: Math.max(0, amountMicros - owedMicros) },
  ].filter((part) => part.amountMicros > 0)
  for (const [part, target] of parts.entries())
    await bookTransfer(tx, {
      accountId,
      from: 'penalties',
      reason: 'penalty_return',
      subject,
      part,
      at,
      ...target,
    })
  return parts.length > 0 ? 'done' : 'already'
}
