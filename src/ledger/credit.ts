import type { Transaction } from '../platform/database.ts'
import { lockBalance } from './balance.ts'
import { type Booked, bookTransfer } from './book-transfer.ts'
import { settleDebt } from './settle-debt.ts'

export type Credit = { accountId: string; amountMicros: number; subject: string; at: Date }

/** Books an operator's credit once. A debt is settled from it first. */
export async function credit(tx: Transaction, { accountId, amountMicros, subject, at }: Credit): Promise<Booked> {
  await lockBalance(tx, accountId)
  const shared = { accountId, subject, at }
  const booked = await bookTransfer(tx, {
    ...shared,
    from: 'operator_credit',
    to: 'prepaid',
    amountMicros,
    reason: 'credit',
  })
  if (booked === 'done') await settleDebt(tx, shared)
  return booked
}

/** Takes an operator's credit back, once, as far as the prepaid balance reaches; beyond it throws BalanceTooLow. */
export function debit(tx: Transaction, { accountId, amountMicros, subject, at }: Credit): Promise<Booked> {
  return bookTransfer(tx, {
    accountId,
    from: 'prepaid',
    to: 'operator_credit',
    amountMicros,
    reason: 'debit',
    subject,
    at,
  })
}
