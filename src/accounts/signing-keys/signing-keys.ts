import { sql } from 'kysely'
import type { KeyedCall } from '../../contract/call.ts'
import { Problem } from '../../contract/problems/problem.ts'
import { maxSigningKeysPerAccount } from '../../contract/signing-key-limits.ts'
import { enqueue } from '../../jobs/enqueue.ts'
import { type Database, inTransaction, type Transaction, violatedConstraint } from '../../platform/database/database.ts'
import {
  decodeBase64url,
  Ed25519Error,
  isPublishedTestKey,
  publicKeyFromBytes,
  thumbprintOf,
} from '../../platform/ed25519.ts'
import { recordOwnerAction } from '../owner-audit-log.ts'
import { assertPossession } from './key-proof.ts'

type WantedKey = { public_key: string; proof: string; name: string | null }

/** Registers a public key with which the account signs posts, and emails the owner. */
export async function addSigningKey({ db, clock, caller, baseUrl }: KeyedCall, wish: WantedKey) {
  const publicKey = readPublicKey(wish.public_key)
  const key = { key_id: thumbprintOf(publicKey), name: wish.name, created_at: clock.now() }
  if (isPublishedTestKey(key.key_id))
    throw refusedKey('is a published test key, with which anyone can sign. Create a key pair of your own')
  const { accountId } = caller
  assertPossession({ accountId, origin: new URL(baseUrl).origin, publicKey }, wish.proof)
  await inTransaction(db, async (tx) => {
    await takePlace(tx, accountId)
    await tx
      .insertInto('author_keys')
      .values({ ...key, account_id: accountId, public_key: publicKey })
      .execute()
    await enqueue(tx, 'tell-owner', { account_id: accountId, about: 'signing_key_added', subject: key.key_id })
  }).catch((error) => {
    if (violatedConstraint(error) !== 'author_keys_pkey') throw error
    throw refusedKey('is already registered, by this account or another one. A key belongs to one account', error)
  })
  return describeKey({ ...key, public_key: publicKey })
}

function readPublicKey(text: string): Buffer {
  try {
    const bytes = decodeBase64url(text, 32)
    publicKeyFromBytes(bytes)
    return bytes
  } catch (error) {
    if (!(error instanceof Ed25519Error)) throw error
    throw refusedKey(
      `is not the public key of an Ed25519 key pair: ${error.message}. Send its 32 bytes as base64url without padding`,
      error,
    )
  }
}

const refusedKey = (detail: string, cause?: unknown) =>
  new Problem('validation_failed', 'The body has 1 invalid field. See `errors`.', {
    members: { errors: [{ pointer: '#/public_key', detail }] },
    cause,
  })

/** Locks the account, so that no two calls take its last free place. */
async function takePlace(tx: Transaction, accountId: string): Promise<void> {
  const { rows } = await sql`
    select from accounts where id = ${accountId} and standing = 'good' for no key update`.execute(tx)
  if (rows.length !== 1) throw new Problem('account_banned', 'A banned account cannot register keys.')
  const { count } = await tx
    .selectFrom('author_keys')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  if (count >= maxSigningKeysPerAccount)
    throw new Problem('too_many_signing_keys', `${count} of ${maxSigningKeysPerAccount} keys are registered.`)
}

type StoredKey = { key_id: string; public_key: Buffer; name: string | null; created_at: Date }

const selectKeys = (db: Database, accountId: string) =>
  db
    .selectFrom('author_keys')
    .select(['key_id', 'public_key', 'name', 'created_at'])
    .where('account_id', '=', accountId)

/** The keys with which the account can sign, oldest first. */
export async function listSigningKeys(db: Database, accountId: string) {
  const keys = await selectKeys(db, accountId).orderBy('created_at').orderBy('key_id').execute()
  return keys.map(describeKey)
}

/** The bytes of one of the account's public keys. */
export async function findSigningKey(db: Database, accountId: string, keyId: string): Promise<Buffer | undefined> {
  const key = await selectKeys(db, accountId).where('key_id', '=', keyId).executeTakeFirst()
  return key?.public_key
}

/** Removes a key: new posts cannot be signed with it. What was signed stays as it is. */
export async function removeSigningKey(db: Database, accountId: string, keyId: string): Promise<void> {
  const removed = await db
    .deleteFrom('author_keys')
    .where('account_id', '=', accountId)
    .where('key_id', '=', keyId)
    .executeTakeFirst()
  if (removed.numDeletedRows !== 1n) throw new Problem('signing_key_not_found', 'This account has no such signing key.')
}

/** The keys as their owner sees them, oldest first. */
export const listSigningKeysForOwner = (db: Database, accountId: string) =>
  db
    .selectFrom('author_keys')
    .select(['key_id', 'name', 'created_at'])
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('key_id')
    .execute()

type OwnersRemoval = { accountId: string; keyId: string; at: Date }

/** Removes a key in its owner's name. Does nothing if the account has no such key. */
export function removeSigningKeyAsOwner(db: Database, { accountId, keyId, at }: OwnersRemoval): Promise<void> {
  return inTransaction(db, async (tx) => {
    const removed = await tx
      .deleteFrom('author_keys')
      .where('account_id', '=', accountId)
      .where('key_id', '=', keyId)
      .returning('key_id')
      .executeTakeFirst()
    if (removed) await recordOwnerAction(tx, { accountId, action: 'owner.remove_signing_key', at })
  })
}

const describeKey = ({ key_id, public_key, name, created_at }: StoredKey) => ({
  key_id,
  public_key: public_key.toString('base64url'),
  name,
  created_at: created_at.toISOString(),
})
