import { type Database, inTransaction } from '../../platform/database.ts'
import { recordOwnerAct } from '../owner-act.ts'
import { type KeyScope, keyNotFound } from './key-record.ts'

type Change = {
  accountId: string
  id: string
  name: string
  scope: KeyScope
  dailyCapMicros: number | null
  at: Date
}

/** Names a key anew, and sets what it may do from its next call on. */
export async function changeKey(db: Database, { accountId, id, name, scope, dailyCapMicros, at }: Change) {
  await inTransaction(db, async (tx) => {
    const changed = await tx
      .updateTable('api_keys')
      .set({ name, scope, daily_cap_micros: dailyCapMicros })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (changed.numUpdatedRows !== 1n) throw keyNotFound()
    const details = { key_id: id, scope, daily_cap_micros: dailyCapMicros }
    await recordOwnerAct(tx, { accountId, action: 'owner.change_key', at, details })
  })
}
