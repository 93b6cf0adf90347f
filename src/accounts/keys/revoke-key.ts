import { type Database, inTransaction } from '../../platform/database.ts'
import { recordOwnerAct } from '../owner-act.ts'
import { keyNotFound } from './key-record.ts'

/** Ends a key, for good: its next call is refused, and it does not count towards the account's number any more. */
export async function revokeKey(db: Database, { accountId, id, at }: { accountId: string; id: string; at: Date }) {
  await inTransaction(db, async (tx) => {
    const revoked = await tx
      .updateTable('api_keys')
      .set({ revoked_at: at })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (revoked.numUpdatedRows !== 1n) throw keyNotFound()
    await recordOwnerAct(tx, { accountId, action: 'owner.revoke_key', at, details: { key_id: id } })
  })
}
