import { createHash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { type Selectable, sql } from 'kysely'
import type { DB } from '../../../generated/database-types.ts'
import type { Caller } from '../../contract/call.ts'
import { postsNeedApproval, type Scope } from '../../contract/scopes.ts'
import type { Database } from '../../platform/database/database.ts'

const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `bsk_`, 43 random characters (256 bits) and a checksum, so that secret scanners can recognise a key. */
export const newApiKey = (): string => newSecretOf('bsk_')

/** False for a mistyped key, without a database query. */
export const looksLikeApiKey = (key: string): boolean => isSecretOf('bsk_', key)

/** A secret in the form of a key, with another prefix. */
export function newSecretOf(prefix: string): string {
  const random = Array.from({ length: 43 }, () => base62.charAt(randomInt(62))).join('')
  return `${prefix}${random}${checksumOf(`${prefix}${random}`)}`
}

export function isSecretOf(prefix: string, text: string): boolean {
  const checksum = text.startsWith(prefix) ? pattern.exec(text.slice(prefix.length))?.[1] : undefined
  return checksum !== undefined && checksum === checksumOf(text.slice(0, -6))
}

const pattern = /^[0-9A-Za-z]{43}([0-9A-Za-z]{6})$/

/** The stored form of a key. A key has 256 random bits, so a fast hash is enough. */
export function hashApiKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

function checksumOf(text: string): string {
  let value = crc32(text)
  let letters = ''
  for (let index = 0; index < 6; index++) {
    letters = base62.charAt(value % 62) + letters
    value = Math.floor(value / 62)
  }
  return letters
}

/** How old `last_used_at` can be before a call updates it. An exact time is not worth a write per call. */
const lastUsedResolutionMs = 60_000

export type FoundCaller = Caller & {
  isBanned: boolean
  /** A key that accepts only GET requests. */
  isReadOnly: boolean
  /** An app with an access token, rather than an agent with a key. */
  isApp: boolean
  /** Null if the caller has all scopes. */
  scopes: readonly Scope[] | null
}

type KeyRow = Pick<Selectable<DB['api_keys']>, 'id' | 'account_id' | 'scope' | 'last_used_at'> &
  Pick<Selectable<DB['accounts']>, 'standing' | 'auto_recharge_enabled'> & { scopes: Scope[] | null }

/** The caller that this key identifies; undefined if it is mistyped, unknown or revoked, or its account is closed. */
export async function findCaller(db: Database, key: string, at: Date): Promise<FoundCaller | undefined> {
  if (!looksLikeApiKey(key)) return undefined
  // Not built by Kysely: every call with a key would take the time to build it again.
  const { rows } = await sql<KeyRow>`
    select api_keys.id, account_id, scope, scopes, last_used_at, standing, auto_recharge_enabled
    from api_keys join accounts on accounts.id = account_id
    where hash = ${hashApiKey(key)} and revoked_at is null and standing <> 'closed'`.execute(db)
  const [found] = rows
  if (!found) return undefined
  await noteUse(db, found, at)
  const { scopes } = found
  return {
    accountId: found.account_id,
    keyId: found.id,
    autoRecharges: found.auto_recharge_enabled,
    needsApproval: postsNeedApproval(scopes),
    isBanned: found.standing === 'banned',
    isReadOnly: found.scope === 'read' && scopes === null,
    isApp: false,
    scopes,
  }
}

/** Records when a key or app was last used. */
export async function noteUse(db: Database, used: { id: string; last_used_at: Date | null }, at: Date): Promise<void> {
  if (used.last_used_at && at.getTime() - used.last_used_at.getTime() <= lastUsedResolutionMs) return
  await db.updateTable('api_keys').set({ last_used_at: at }).where('id', '=', used.id).execute()
}
