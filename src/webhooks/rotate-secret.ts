import { sql } from 'kysely'
import type { KeyedCall } from '../platform/call.ts'
import { inTransaction } from '../platform/database.ts'
import { untilWorkersKnow } from './await-workers.ts'
import { maxSigningSecrets, secretOverlapMs } from './rules.ts'
import { keepSecret, newSecret } from './secret.ts'
import { webhookNotFound } from './webhook-record.ts'

/** Gives an endpoint a new secret. What it replaces goes on signing for a day, beside the new one. */
export async function rotateSecret({ db, clock, caller, sealing }: KeyedCall, id: string) {
  const at = clock.now()
  const retiresAt = new Date(at.getTime() + secretOverlapMs)
  const secret = newSecret()
  await inTransaction(db, async (tx) => {
    const changed = await tx
      .updateTable('webhooks')
      .set((row) => ({ changes: row('changes', '+', 1) }))
      .where('id', '=', id)
      .where('account_id', '=', caller.accountId)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (!changed) throw webhookNotFound()
    const { rows } = await sql<{ number: number }>`
      update webhook_secrets set retires_at = ${retiresAt} where webhook_id = ${id} and retires_at is null
      returning number`.execute(tx)
    const number = (rows[0]?.number ?? 0) + 1
    await tx
      .deleteFrom('webhook_secrets')
      .where('webhook_id', '=', id)
      .where('number', '<=', number - maxSigningSecrets)
      .execute()
    await keepSecret(tx, sealing, { webhookId: id, number, key: secret.key, at })
  })
  await untilWorkersKnow(db, id)
  return { id, secret: secret.shown, previous_secrets_sign_until: retiresAt.toISOString() }
}
