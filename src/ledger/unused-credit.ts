import { sql } from 'kysely'
import type { Database, Transaction } from '../platform/database.ts'

/**
 * What the operator gave and nothing has used: charges, penalties and debts use a credit before what was paid, and a credit
 * that comes later does not make up for what was paid by then. A charge that came back was none. A payment that is sent
 * back or disputed uses no credit, so this may be more than the balance holds.
 */
export async function unusedCreditMicros(db: Database | Transaction, accountId: string): Promise<number> {
  const { rows } = await sql<{ micros: number }>`
    with moves as (
      select min(id) as id, sum(case to_book when 'prepaid' then amount_micros else -amount_micros end) as micros
      from ledger_transfers
      where account_id = ${accountId} and 'prepaid' in (from_book, to_book) and reason in (
        'credit', 'debit', 'post', 'edit', 'search', 'refund', 'penalty', 'penalty_return', 'settlement'
      )
      group by subject, reason in ('penalty', 'penalty_return')
    ), sums as (
      select micros, sum(micros) over (order by id) as so_far from moves
    )
    -- How far the sum is below zero was paid by payments.
    select coalesce(sum(micros) - least(0, min(so_far)), 0)::bigint as micros from sums`.execute(db)
  return rows[0]?.micros ?? 0
}
