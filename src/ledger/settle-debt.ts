import type { Transaction } from '../platform/database.ts'
import { lockBalance } from './balance.ts'
import { bookTransfer } from './book-transfer.ts'

/** Pays a debt from what came in, as far as it reaches: nobody is locked out by a debt that the balance could cover. */
export async function settleDebt(
  tx: Transaction,
  { accountId, subject, at }: { accountId: string; subject: string; at: Date },
): Promise<void> {
  const { prepaidMicros, owedMicros } = await lockBalance(tx, accountId)
  const amountMicros = Math.min(prepaidMicros, owedMicros)
  if (amountMicros > 0)
    await bookTransfer(tx, {
      accountId,
      from: 'prepaid',
      to: 'owed',
      amountMicros,
      reason: 'settlement',
      subject,
      at,
    })
}
