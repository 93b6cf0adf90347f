import { type Database, inTransaction } from '../../platform/database.ts'
import { recordOwnerAct } from '../owner-act.ts'

/** Takes the agent's wish back. Without one, nothing happens and nothing is written down. */
export function cancelDeletion(db: Database, { accountId, at }: { accountId: string; at: Date }): Promise<void> {
  return inTransaction(db, async (tx) => {
    const cancelled = await tx
      .updateTable('accounts')
      .set({ deletion_requested_at: null })
      .where('id', '=', accountId)
      .where('deletion_requested_at', 'is not', null)
      .executeTakeFirst()
    if (cancelled.numUpdatedRows === 1n) await recordOwnerAct(tx, { accountId, action: 'owner.cancel_deletion', at })
  })
}
