import { sql } from 'kysely'
import { Problem } from '../../contract/problems/problem.ts'
import type { Scope } from '../../contract/scopes.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/identifiers.ts'
import { recordOwnerAction } from '../owner-audit-log.ts'
import { keyAccess } from './key-record.ts'
import { takeSlot } from './manage-keys.ts'

export type AppAccess = {
  accountId: string
  clientId: string
  clientHost: string
  name: string
  scopes: readonly Scope[]
  dailyCapMicros: number | null
  at: Date
}

/**
 * Connects an app to the account and returns its key. An app that is connected already keeps its key and gets the new
 * scopes and cap, so that connecting again uses up no place.
 */
export async function connectApp(tx: Transaction, app: AppAccess): Promise<string> {
  const { accountId, clientId, clientHost, name, dailyCapMicros, at } = app
  const access = keyAccess('read', app.scopes)
  const details = { scopes: app.scopes.join(' '), daily_cap_micros: dailyCapMicros }
  const { rows } = await sql<{ isGood: boolean }>`
    select standing = 'good' as "isGood" from accounts where id = ${accountId} for no key update`.execute(tx)
  if (!rows[0]?.isGood) throw new Problem('account_banned', 'A banned account cannot connect apps.')
  const known = await tx
    .selectFrom('api_keys')
    .select('id')
    .where('account_id', '=', accountId)
    .where('client_id', '=', clientId)
    .where('client_host', '=', clientHost)
    .where('revoked_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
  const id = known?.id ?? newId('key', at)
  if (known)
    await tx
      .updateTable('api_keys')
      .set({ scopes: access.scopes as string[], daily_cap_micros: dailyCapMicros })
      .where('id', '=', id)
      .execute()
  else
    await takeSlot(tx, {
      id,
      accountId,
      name,
      access,
      dailyCapMicros,
      at,
      hash: null,
      last4: null,
      clientId,
      clientHost,
    })
  await recordOwnerAction(tx, { accountId, action: 'owner.connect_app', at, details: { key_id: id, ...details } })
  await enqueue(tx, 'tell-owner', { account_id: accountId, about: 'key_created', subject: `${id}/${at.toISOString()}` })
  return id
}

/** Whether the app that this key belongs to is still connected, and its account open. */
export const isConnected = (db: Database | Transaction, keyId: string) =>
  db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select('api_keys.scopes')
    .where('api_keys.id', '=', keyId)
    .where('revoked_at', 'is', null)
    .where('accounts.standing', '<>', 'closed')
    .executeTakeFirst()
