import type { Transaction } from '../platform/database.ts'
import type { LedgerBook } from '../platform/database-types.ts'
import { lockBalance } from './balance.ts'
import { type Booked, bookTransfer, type SplitReason } from './book-transfer.ts'

export type Taken = { accountId: string; amountMicros: number; subject: string; at: Date }

/**
 * Takes an amount once: from the prepaid balance as far as it reaches, the rest as a debt.
 * Whichever part comes first is part 0, so a retry under another balance meets it and stops.
 */
export async function takeOrOwe(
  tx: Transaction,
  { accountId, amountMicros, subject, at }: Taken,
  { to, reason }: { to: LedgerBook; reason: SplitReason },
): Promise<Booked> {
  const { prepaidMicros } = await lockBalance(tx, accountId)
  const parts = [
    { from: 'prepaid' as const, amountMicros: Math.min(prepaidMicros, amountMicros) },
    { from: 'owed' as const, amountMicros: Math.max(0, amountMicros - prepaidMicros) },
  ].filter((part) => part.amountMicros > 0)
  for (const [part, source] of parts.entries()) {
    const booked = await bookTransfer(tx, { accountId, to, reason, subject, part, at, ...source })
    if (booked === 'already') return booked
  }
  return 'done'
}
