import { closeAccount } from '../../accounts/closing/close-account.ts'
import { isClosed } from '../../accounts/closing/forget-account.ts'
import { recordOwnerAct } from '../../accounts/owner-act.ts'
import { lockBalance } from '../../ledger/balance.ts'
import { refundBalance } from '../../payments/refund-balance.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database.ts'
import { untilWorkersKnow } from '../../webhooks/await-workers.ts'

type Ending = { accountId: string; wantsRefund: boolean; at: Date }

/** Closes the account as its owner wishes, all or nothing. Once this is done no event is sent any more. */
export async function endAccount(db: Database, ending: Ending): Promise<void> {
  const webhookIds = await inTransaction(db, (tx) => endInOne(tx, ending))
  await Promise.all(webhookIds.map((id) => untilWorkersKnow(db, id)))
}

async function endInOne(tx: Transaction, { accountId, wantsRefund, at }: Ending): Promise<string[]> {
  // The balance's lock comes first, as everywhere: what is being charged is charged before, or never.
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
  await recordOwnerAct(tx, { accountId, action: 'owner.close_account', at, details: amounts })
  return webhooks.map(({ id }) => id)
}
