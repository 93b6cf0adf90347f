import { spentToday } from '../../ledger/key-spending.ts'
import type { Database } from '../../platform/database.ts'

export type ListedKey = Awaited<ReturnType<typeof listKeys>>[number]

/** The keys that are not revoked, oldest first, with what each has spent since 00:00 UTC. */
export function listKeys(db: Database, accountId: string, at: Date) {
  return queryKeys(db, accountId, at).orderBy('created_at').orderBy('id').execute()
}

/** One of them. */
export function findKey(db: Database, { accountId, id, at }: { accountId: string; id: string; at: Date }) {
  return queryKeys(db, accountId, at).where('id', '=', id).executeTakeFirst()
}

const queryKeys = (db: Database, accountId: string, at: Date) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'name', 'last4', 'scope', 'daily_cap_micros', 'created_at', 'last_used_at'])
    .select(spentToday(at).as('spent_micros'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
