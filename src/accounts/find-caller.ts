import type { Caller } from '../platform/call.ts'
import type { Database } from '../platform/database.ts'
import { hashApiKey, looksLikeApiKey } from './api-key.ts'

/** How old `last_used_at` may get before a call writes it again: a note for the owner is not worth a write per call. */
const lastUsedResolutionMs = 60_000

export type FoundCaller = Caller & { isBanned: boolean; isReadOnly: boolean }

/** Who holds this key; undefined when it is mistyped, unknown or revoked, or its account is closed. */
export async function findCaller(db: Database, key: string, at: Date): Promise<FoundCaller | undefined> {
  if (!looksLikeApiKey(key)) return undefined
  const found = await db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['api_keys.id', 'api_keys.account_id', 'api_keys.scope', 'api_keys.last_used_at'])
    .select(['accounts.standing', 'accounts.auto_recharge_enabled'])
    .where('hash', '=', hashApiKey(key))
    .where('revoked_at', 'is', null)
    .where('accounts.standing', '<>', 'closed')
    .executeTakeFirst()
  if (!found) return undefined
  if (!found.last_used_at || at.getTime() - found.last_used_at.getTime() > lastUsedResolutionMs)
    await db.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', found.id).execute()
  return {
    accountId: found.account_id,
    keyId: found.id,
    autoRecharges: found.auto_recharge_enabled,
    isBanned: found.standing === 'banned',
    isReadOnly: found.scope === 'read',
  }
}
