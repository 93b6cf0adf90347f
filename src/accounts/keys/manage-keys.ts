import { sql } from 'kysely'
import { maxApiKeysPerAccount } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems/problem.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { spentToday } from '../../ledger/spending-limits.ts'
import { type Database, inTransaction, type Transaction, violatedConstraint } from '../../platform/database/database.ts'
import { newId } from '../../platform/identifiers.ts'
import { recordOwnerAction } from '../owner-audit-log.ts'
import { hashApiKey, newApiKey } from './api-key.ts'
import { type KeyScope, keyNotFound } from './key-record.ts'

type NewKey = {
  accountId: string
  name: string
  scope: KeyScope
  dailyCapMicros: number | null
  at: Date
  /** Given where the same wish may come twice: only one key has it. */
  id?: string
}

/** Makes a key. It is in the answer and nowhere else, and the owner is told of it by mail. */
export async function createKey(db: Database, { id, ...wish }: NewKey) {
  const { accountId, name, scope, dailyCapMicros, at } = wish
  const apiKey = newApiKey()
  const key = { id: id ?? newId('key', at), name, last4: apiKey.slice(-4), scope, dailyCapMicros, createdAt: at }
  await inTransaction(db, async (tx) => {
    await takeSlot(tx, { ...wish, ...key, hash: hashApiKey(apiKey) })
    const details = { key_id: key.id, scope, daily_cap_micros: dailyCapMicros }
    await recordOwnerAction(tx, { accountId, action: 'owner.create_key', at, details })
    await enqueue(tx, 'tell-owner', { account_id: accountId, about: 'key_created', subject: key.id })
  }).catch((error) => {
    throw violatedConstraint(error) === 'api_keys_pkey' ? new KeyMadeBefore('the same wish came twice') : error
  })
  return { ...key, apiKey }
}

/** The key with this identifier is there already. It is shown once, so it cannot be shown again. */
export class KeyMadeBefore extends Error {}

type Slot = Required<NewKey> & { last4: string; hash: Buffer }

/**
 * Takes the lowest free place. Of two that want the same one, the second waits for the first to commit and then looks for
 * the next; so the database holds an account to its number, and nothing else must be locked.
 */
async function takeSlot(tx: Transaction, { accountId, ...key }: Slot): Promise<void> {
  for (let round = 0; round < maxApiKeysPerAccount; round++) {
    const { rows } = await sql<{ isGood: boolean; free: boolean; taken: boolean }>`
      with good as (
        select id from accounts where id = ${accountId} and standing = 'good'
      ), free as (
        select slot from generate_series(1, ${sql.lit(maxApiKeysPerAccount)}) as candidate(slot)
        where not exists (
          select from api_keys where account_id = ${accountId} and api_keys.slot = candidate.slot and revoked_at is null
        )
        order by slot limit 1
      ), taken as (
        insert into api_keys (id, account_id, slot, name, hash, last4, scope, daily_cap_micros, created_at)
        select ${key.id}, good.id, slot, ${key.name}, ${key.hash}, ${key.last4}, ${key.scope}, ${key.dailyCapMicros}, ${key.at}
        from good, free
        on conflict (account_id, slot) where revoked_at is null do nothing
        returning id
      )
      select exists (select from good) as "isGood", exists (select from free) as free, exists (select from taken) as taken
    `.execute(tx)
    if (rows[0]?.taken) return
    if (!rows[0]?.isGood) throw new Problem('account_banned', 'A banned account gets no new keys.')
    if (!rows[0].free) break
  }
  throw new Problem('too_many_keys', `An account has up to ${maxApiKeysPerAccount} keys: revoke one first.`)
}

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
    await recordOwnerAction(tx, { accountId, action: 'owner.change_key', at, details })
  })
}

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
    await recordOwnerAction(tx, { accountId, action: 'owner.revoke_key', at, details: { key_id: id } })
  })
}
