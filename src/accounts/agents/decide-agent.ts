import { agentConfirmationsPerDay } from '../../contract/agent-limits.ts'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { takeUse } from '../allowances.ts'
import { recordOwnerAction } from '../owner-audit-log.ts'
import { enqueueMarkRefresh, lockMark } from './agent-mark.ts'

type Decided = { accountId: string; domain: string; keyId: string; at: Date }

/** gone: the agent does not wait for the owner any more. */
export type Confirmation = 'confirmed' | 'gone' | 'banned' | 'too_many'

/** Shows the account's posts as those of a verified agent of this domain. It replaces another domain. */
export function confirmAgent(db: Database, { accountId, domain, keyId, at }: Decided): Promise<Confirmation> {
  return inTransaction(db, async (tx) => {
    await lockMark(tx, accountId)
    if (!(await isInGoodStanding(tx, accountId))) return 'banned'
    const waiting = await tx
      .selectFrom('agent_keys')
      .select('key_id')
      .where('account_id', '=', accountId)
      .where('domain', '=', domain)
      .where('key_id', '=', keyId)
      .where('state', '=', 'awaiting_owner')
      .executeTakeFirst()
    if (!waiting) return 'gone'
    const use = { allowance: 'agent-confirmations-per-account' as const, subject: accountId, at }
    if ((await takeUse(tx, use, agentConfirmationsPerDay)) === null) return 'too_many'
    await tx
      .updateTable('agent_keys')
      .set({ state: 'declined' })
      .where('account_id', '=', accountId)
      .where('state', '=', 'verified')
      .execute()
    await tx
      .updateTable('agent_keys')
      .set({ state: 'verified', decided_at: at })
      .where('account_id', '=', accountId)
      .where('domain', '=', domain)
      .where('key_id', '=', keyId)
      .where('state', '=', 'awaiting_owner')
      .execute()
    await recordOwnerAction(tx, { accountId, action: 'owner.confirm_agent', at })
    await enqueueMarkRefresh(tx, accountId)
    return 'confirmed'
  })
}

async function isInGoodStanding(tx: Transaction, accountId: string): Promise<boolean> {
  const account = await tx.selectFrom('accounts').select('standing').where('id', '=', accountId).executeTakeFirst()
  return account?.standing === 'good'
}

/** The owner does not want the mark of this key. False if the agent does not wait for the owner any more. */
export function declineAgent(db: Database, { accountId, domain, keyId, at }: Decided): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    await lockMark(tx, accountId)
    const declined = await tx
      .updateTable('agent_keys')
      .set({ state: 'declined', decided_at: at })
      .where('account_id', '=', accountId)
      .where('domain', '=', domain)
      .where('key_id', '=', keyId)
      .where('state', '=', 'awaiting_owner')
      .returning('key_id')
      .executeTakeFirst()
    if (!declined) return false
    await recordOwnerAction(tx, { accountId, action: 'owner.decline_agent', at })
    return true
  })
}

/** Removes the mark from the account and its posts. Does nothing if there is none. */
export function removeAgent(db: Database, { accountId, at }: { accountId: string; at: Date }): Promise<void> {
  return inTransaction(db, async (tx) => {
    await lockMark(tx, accountId)
    const removed = await tx
      .updateTable('agent_keys')
      .set({ state: 'declined', decided_at: at })
      .where('account_id', '=', accountId)
      .where('state', '=', 'verified')
      .returning('key_id')
      .executeTakeFirst()
    if (!removed) return
    await recordOwnerAction(tx, { accountId, action: 'owner.remove_agent', at })
    await enqueueMarkRefresh(tx, accountId)
  })
}
