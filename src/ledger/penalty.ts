import type { Transaction } from '../platform/database.ts'
import { lockBalance } from './balance.ts'
import { type Booked, bookTransfer } from './book-transfer.ts'

export type Penalty = { accountId: string; amountMicros: number; subject: string; at: Date }

/**
 * Takes a penalty once: from the prepaid balance as far as it reaches, the rest as a debt.
 * Whichever part comes first is part 0, so a retry under another balance meets it and stops.
 */
export async function penalty(tx: Transaction, { accountId, amountMicros, subject, at }: Penalty): Promise<Booked> {
  const { prepaidMicros } = await lockBalance(tx, accountId)
  const parts = [
    { from: 'prepaid' as const, amountMicros: Math.min(prepaidMicros, amountMicros) },
    { from: 'owed' as const, amountMicros: Math.max(0, amountMicros - prepaidMicros) },
  ].filter((part) => part.amountMicros > 0)
  for (const [part, sources] of parts.entries()) {
    const booked = await bookTransfer(tx, {
      accountId,
      to: 'penalties',
      reason: 'penalty',
      subject,
      part,
      at,
      ...sources,
    })
    if (booked === 'already') return booked
  }
  return 'done'
}
