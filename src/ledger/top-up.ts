import type { Transaction } from '../platform/database.ts'
import { lockBalance } from './balance.ts'
import { type Booked, bookTransfer } from './book-transfer.ts'
import { settleDebt } from './settle-debt.ts'

type TopUp = {
  accountId: string
  amountMicros: number
  paymentId: string
  /** False for money that goes straight back: nothing is kept of it. */
  settlesDebt: boolean
  at: Date
}

/** Books what a payment brought, once. A debt is settled from it first. */
export async function topUp(tx: Transaction, { paymentId, settlesDebt, ...incoming }: TopUp): Promise<Booked> {
  const { accountId, at } = incoming
  await lockBalance(tx, accountId)
  const booked = await bookTransfer(tx, {
    ...incoming,
    from: 'provider_clearing',
    to: 'prepaid',
    reason: 'top_up',
    subject: paymentId,
  })
  if (booked === 'done' && settlesDebt) await settleDebt(tx, { accountId, subject: paymentId, at })
  return booked
}
