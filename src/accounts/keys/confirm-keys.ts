import { sql } from 'kysely'
import { type Database, inTransaction, type Transaction } from '../../platform/database/database.ts'
import { recordOwnerAction } from '../owner-audit-log.ts'

export type KeyToConfirm = Awaited<ReturnType<typeof listKeysToConfirm>>[number]

/**
 * The active keys that are older than the verification of the email address and that the owner has not confirmed since.
 * Whoever created the account has them, and the owner may not know who that is.
 */
export function listKeysToConfirm(db: Database | Transaction, accountId: string) {
  return db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['api_keys.id', 'api_keys.name', 'last4', 'client_host', 'api_keys.created_at', 'last_used_at'])
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .whereRef('api_keys.created_at', '<', 'accounts.email_verified_at')
    .where(sql<boolean>`(confirmed_at is null or confirmed_at < email_verified_at)`)
    .orderBy('api_keys.created_at')
    .orderBy('api_keys.id')
    .execute()
}

type Choices = { accountId: string; choices: Readonly<Record<string, string>>; at: Date }

/** Keeps or revokes each key that must be confirmed. Does nothing and returns false if one has no choice. */
export function confirmKeys(db: Database, { accountId, choices, at }: Choices): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    const keys = await listKeysToConfirm(tx, accountId)
    if (!keys.every(({ id }) => choices[id] === 'keep' || choices[id] === 'revoke')) return false
    for (const { id } of keys) {
      const isKept = choices[id] === 'keep'
      const { numUpdatedRows } = await tx
        .updateTable('api_keys')
        .set(isKept ? { confirmed_at: at } : { revoked_at: at })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) continue
      const action = isKept ? 'owner.confirm_key' : 'owner.revoke_key'
      await recordOwnerAction(tx, { accountId, action, at, details: { key_id: id } })
    }
    return true
  })
}
