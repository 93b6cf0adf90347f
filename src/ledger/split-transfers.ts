import type { LedgerBook, LedgerReason } from '../../generated/database-types.ts'
import type { Transaction } from '../platform/database/database.ts'
import { lockBalance } from './balance.ts'
import { type Booked, bookTransfer, notReturned, type SplitReason } from './transfers.ts'

export type Taken = { accountId: string; amountMicros: number; subject: string; at: Date }

/**
 * Takes an amount once: from the prepaid balance as far as possible, the rest as debt. The first part taken is part 0,
 * so a retry with a different balance conflicts with it and stops.
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

export type Returned = { accountId: string; subject: string; at: Date }

/**
 * Returns everything taken for a subject, once. It reduces the debt first, and the rest goes to the prepaid balance.
 */
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

/** Takes a penalty once: from the prepaid balance as far as possible, the rest as debt. */
export const penalty = (tx: Transaction, taken: Taken): Promise<Booked> =>
  takeOrOwe(tx, taken, { to: 'penalties', reason: 'penalty' })

/** Returns a whole penalty, once. It reduces the debt first, and the rest goes to the prepaid balance. */
export const returnPenalty = (tx: Transaction, returned: Returned): Promise<Booked> =>
  giveBack(tx, returned, { from: 'penalties', taken: 'penalty', returned: 'penalty_return' })

/**
 * Takes a payout once, from the prepaid balance as far as possible. The rest becomes debt: this money was spent and
 * then refunded in the provider's dashboard.
 */
export const payOut = (tx: Transaction, taken: Taken): Promise<Booked> =>
  takeOrOwe(tx, taken, { to: 'provider_clearing', reason: 'payout' })

/** Returns a failed payout, once. */
export const returnPayout = (tx: Transaction, returned: Returned): Promise<Booked> =>
  giveBack(tx, returned, { from: 'provider_clearing', taken: 'payout', returned: 'payout_return' })

/** Holds a disputed amount once: from the prepaid balance as far as possible, the rest as debt. */
export const holdDisputed = (tx: Transaction, taken: Taken): Promise<Booked> =>
  takeOrOwe(tx, taken, { to: 'disputed', reason: 'dispute' })

/** Returns the whole held amount, once, because the dispute was won. */
export const returnDisputed = (tx: Transaction, returned: Returned): Promise<Booked> =>
  giveBack(tx, returned, { from: 'disputed', taken: 'dispute', returned: 'dispute_return' })

type Lost = Omit<Taken, 'accountId'>

/** Books a lost dispute: the held amount goes back to the cardholder. The customer's balance does not change. */
export const loseDisputed = (tx: Transaction, lost: Lost): Promise<Booked> =>
  bookTransfer(tx, { ...lost, accountId: null, from: 'disputed', to: 'provider_clearing', reason: 'dispute_loss' })

/** Books a lost dispute that was won on appeal: the money has come back. `returnDisputed` comes next. */
export const regainDisputed = (tx: Transaction, lost: Lost): Promise<Booked> =>
  bookTransfer(tx, {
    ...lost,
    accountId: null,
    from: 'provider_clearing',
    to: 'disputed',
    reason: 'dispute_loss',
    part: 1,
  })
