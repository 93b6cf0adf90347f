import { sql } from 'kysely'
import type { Database, Transaction } from '../platform/database/database.ts'
import { lockBalance } from './balance.ts'
import { type Booked, bookTransfer } from './transfers.ts'

type TopUp = {
  accountId: string
  amountMicros: number
  paymentId: string
  /** False for money that is refunded immediately. */
  settlesDebt: boolean
  at: Date
}

/** Books a payment once. It settles debt first. */
export async function bookTopUp(tx: Transaction, { paymentId, settlesDebt, ...incoming }: TopUp): Promise<Booked> {
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

export type Credit = { accountId: string; amountMicros: number; subject: string; at: Date }

/** Records a credit from the operator. Idempotent. The credit settles debt first. */
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

/** Books an operator's debit once. Throws BalanceTooLow if it exceeds the prepaid balance. */
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

/** Settles debt from the balance as far as possible, so that a debt that the balance covers does not block posting. */
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

/**
 * The unused part of operator credits. Charges, penalties and debts use up credits before payments, and a later credit
 * does not replace a payment that was already spent. Reversed charges do not count, nor do debts settled by then. A
 * refunded or disputed payment uses up no credit, so the result can exceed the balance.
 */
export async function unusedCreditMicros(db: Database | Transaction, accountId: string): Promise<number> {
  const { rows } = await sql<{ micros: number }>`
    with moves as (
      -- A transfer that only created a debt also has its place in the order, because its return counts there.
      select min(id) as id, case
        when bool_or(reason in ('dispute', 'payout')) then greatest(0, sum(micros)) else sum(micros)
      end as micros
      from ledger_transfers, lateral (
        select case
          when to_book = 'prepaid' then amount_micros when from_book = 'prepaid' then -amount_micros else 0
        end as micros
      ) moved
      where account_id = ${accountId} and reason in (
        'credit', 'debit', 'post', 'edit', 'search', 'refund', 'review_return', 'penalty', 'penalty_return', 'settlement',
        'dispute', 'dispute_return', 'payout', 'payout_return'
      )
      group by subject, reason in ('penalty', 'penalty_return')
    ), sums as (
      select micros, sum(micros) over (order by id) as so_far from moves
    )
    -- Payments covered the amount by which the sum fell below zero.
    select coalesce(sum(micros) - least(0, min(so_far)), 0)::bigint as micros from sums`.execute(db)
  return rows[0]?.micros ?? 0
}
