import type { Transaction } from '../platform/database.ts'
import type { LedgerReason } from '../platform/database-types.ts'

type Purpose = { accountId: string; subject: string; taken: readonly LedgerReason[]; returned: readonly LedgerReason[] }

/** What was taken for a subject, by these reasons, and has not come back. */
export async function notReturned(tx: Transaction, { accountId, subject, taken, returned }: Purpose): Promise<number> {
  const rows = await tx
    .selectFrom('ledger_transfers')
    .select(['reason', 'amount_micros'])
    .where('subject', '=', subject)
    .where('account_id', '=', accountId)
    .where('reason', 'in', [...taken, ...returned])
    .execute()
  return rows.reduce((sum, row) => sum + (returned.includes(row.reason) ? -row.amount_micros : row.amount_micros), 0)
}
