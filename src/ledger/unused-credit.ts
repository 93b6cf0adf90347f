import { sql } from 'kysely'
import type { Database, Transaction } from '../platform/database.ts'

/**
 * What the operator gave and nothing has used: charges, penalties and debts use a credit before what was paid, and a credit
 * that comes later does not make up for what was paid by then. A charge that came back was none, and so was a debt that
 * had been settled by then. A payment that is sent back or disputed uses no credit, so this may be more than the balance
 * holds.
 */
export async function unusedCreditMicros(db: Database | Transaction, accountId: string): Promise<number> {
  const { rows } = await sql<{ micros: number }>`
    with moves as (
      -- Also what only made a debt has its place in time: its return stands there.
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
    -- How far the sum is below zero was paid by payments.
    select coalesce(sum(micros) - least(0, min(so_far)), 0)::bigint as micros from sums`.execute(db)
  return rows[0]?.micros ?? 0
}
