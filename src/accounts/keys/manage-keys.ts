import { sql } from 'kysely'
import { maxApiKeysPerAccount } from '../../contract/limits.ts'
import { Problem } from '../../contract/problems/problem.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { spentToday } from '../../ledger/spending-limits.ts'
import { type Database, inTransaction, type Transaction, violatedConstraint } from '../../platform/database/database.ts'
import { newId } from '../../platform/identifiers.ts'
import { recordOwnerAction } from '../owner-audit-log.ts'
import { hashApiKey, newApiKey } from './api-key.ts'
import { type KeyAccess, keyNotFound } from './key-record.ts'

type NewKey = {
  accountId: string
  name: string
  access: KeyAccess
  dailyCapMicros: number | null
  at: Date
  /** Set for a request that might be repeated, so that it creates only one key. */
  id?: string
}

/** Creates a key and emails the owner. Only the returned value contains the key. */
export async function createKey(db: Database, { id, ...wish }: NewKey) {
  const { accountId, name, access, dailyCapMicros, at } = wish
  const apiKey = newApiKey()
  const key = { id: id ?? newId('key', at), name, last4: apiKey.slice(-4), access, dailyCapMicros, createdAt: at }
  await inTransaction(db, async (tx) => {
    await takeSlot(tx, { ...wish, ...key, hash: hashApiKey(apiKey), clientId: null, clientHost: null })
    const details = { key_id: key.id, ...loggedAccess(access), daily_cap_micros: dailyCapMicros }
    await recordOwnerAction(tx, { accountId, action: 'owner.create_key', at, details })
    await enqueue(tx, 'tell-owner', { account_id: accountId, about: 'key_created', subject: key.id })
  }).catch((error) => {
    throw violatedConstraint(error) === 'api_keys_pkey' ? new KeyMadeBefore('a key with this id already exists') : error
  })
  return { ...key, apiKey }
}

const loggedAccess = ({ scope, scopes }: KeyAccess) => (scopes ? { scopes: scopes.join(' ') } : { scope })

/** A key with this id already exists. Keys are shown only once, so it cannot be shown again. */
export class KeyMadeBefore extends Error {}

/** A key has a hash; a connected app has a client. */
type Slot = Required<NewKey> &
  (
    | { last4: string; hash: Buffer; clientId: null; clientHost: null }
    | { last4: null; hash: null; clientId: string; clientHost: string }
  )

/**
 * Takes the lowest free slot. If two calls want the same slot, the second waits for the first to commit and takes the
 * next. The unique index enforces the limit, so no other lock is needed.
 */
export async function takeSlot(tx: Transaction, { accountId, ...key }: Slot): Promise<void> {
  // The API creates keys too, and its role may not name the columns of apps.
  const client =
    key.clientId === null
      ? { columns: sql``, values: sql`` }
      : { columns: sql`, client_id, client_host`, values: sql`, ${key.clientId}, ${key.clientHost}` }
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
        insert into api_keys (id, account_id, slot, name, hash, last4, scope, scopes, daily_cap_micros, created_at
          ${client.columns})
        select ${key.id}, good.id, slot, ${key.name}, ${key.hash}, ${key.last4}, ${key.access.scope},
          ${key.access.scopes}::text[], ${key.dailyCapMicros}, ${key.at} ${client.values}
        from good, free
        on conflict (account_id, slot) where revoked_at is null do nothing
        returning id
      )
      select exists (select from good) as "isGood", exists (select from free) as free, exists (select from taken) as taken
    `.execute(tx)
    if (rows[0]?.taken) return
    if (!rows[0]?.isGood) throw new Problem('account_banned', 'A banned account cannot create keys.')
    if (!rows[0].free) break
  }
  throw new Problem('too_many_keys', `An account can have up to ${maxApiKeysPerAccount} keys. Revoke one first.`)
}

export type ListedKey = Awaited<ReturnType<typeof listKeys>>[number]

/** The active keys, oldest first, with each key's spending since 00:00 UTC. */
export function listKeys(db: Database, accountId: string, at: Date) {
  return queryKeys(db, accountId, at).orderBy('created_at').orderBy('id').execute()
}

/** One of the account's active keys. */
export function findKey(db: Database, { accountId, id, at }: { accountId: string; id: string; at: Date }) {
  return queryKeys(db, accountId, at).where('id', '=', id).executeTakeFirst()
}

const queryKeys = (db: Database, accountId: string, at: Date) =>
  db
    .selectFrom('api_keys')
    .select(['id', 'name', 'last4', 'client_host', 'scope', 'scopes', 'daily_cap_micros', 'created_at', 'last_used_at'])
    .select(spentToday(at).as('spent_micros'))
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)

type Change = {
  accountId: string
  id: string
  name: string
  access: KeyAccess
  dailyCapMicros: number | null
  at: Date
}

/** Changes a key's name, scope and cap, effective from its next call. */
export async function changeKey(db: Database, { accountId, id, name, access, dailyCapMicros, at }: Change) {
  await inTransaction(db, async (tx) => {
    const changed = await tx
      .updateTable('api_keys')
      .set({ name, scope: access.scope, scopes: access.scopes as string[] | null, daily_cap_micros: dailyCapMicros })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    if (changed.numUpdatedRows !== 1n) throw keyNotFound()
    const details = { key_id: id, ...loggedAccess(access), daily_cap_micros: dailyCapMicros }
    await recordOwnerAction(tx, { accountId, action: 'owner.change_key', at, details })
  })
}

/** Revokes a key permanently: its next call fails, and it no longer counts toward the account's limit. */
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
