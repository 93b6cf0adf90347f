import { closeAccount, isClosed } from '../../accounts/deletion/close-account.ts'
import { recordOwnerAction } from '../../accounts/owner-audit-log.ts'
import { lockBalance } from '../../ledger/balance.ts'
import { refundBalance } from '../../payments/refunds/refund-balance.ts'
import { type Database, inTransaction, isDeadlock, type Transaction } from '../../platform/database/database.ts'

type Ending = { accountId: string; wantsRefund: boolean; at: Date }

/** Closes the account in one transaction and returns the ids of its webhooks. */
export function endAccount(db: Database, ending: Ending): Promise<string[]> {
  const endOnce = () => inTransaction(db, (tx) => endInOne(tx, ending))
  // This touches many tables, including rows shared with other accounts, so it can deadlock with another account
  // deletion.
  return endOnce().catch((error) => {
    if (!isDeadlock(error)) throw error
    return endOnce()
  })
}

async function endInOne(tx: Transaction, { accountId, wantsRefund, at }: Ending): Promise<string[]> {
  // Lock the balance first, as all code does: a concurrent charge either commits before this or fails.
  const { prepaidMicros, owedMicros } = await lockBalance(tx, accountId)
  if (await isClosed(tx, accountId)) return []
  const refundedMicros = wantsRefund ? await refundBalance(tx, { accountId, at }) : 0
  const webhooks = await tx
    .selectFrom('webhooks')
    .select('id')
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .execute()
  await closeAccount(tx, { accountId, at })
  const amounts = { balance_micros: prepaidMicros, owed_micros: owedMicros, refunded_micros: refundedMicros }
  await recordOwnerAction(tx, { accountId, action: 'owner.close_account', at, details: amounts })
  return webhooks.map(({ id }) => id)
}
