import { createHash, randomBytes } from 'node:crypto'
import { ownerLinkSeconds } from '../contract/limits.ts'
import type { Database, Transaction } from '../platform/database.ts'

type NewLink = { accountId: string; accountPageUrl: string; at: Date }

/** Makes a link to the owner page, good for an hour. The token is stored hashed; links that have lapsed are dropped. */
export async function createOwnerLink(db: Database | Transaction, { accountId, accountPageUrl, at }: NewLink) {
  const token = randomBytes(32).toString('base64url')
  const expires_at = new Date(at.getTime() + ownerLinkSeconds * 1_000)
  await db.deleteFrom('owner_links').where('account_id', '=', accountId).where('expires_at', '<=', at).execute()
  await db
    .insertInto('owner_links')
    .values({ token_hash: hashToken(token), account_id: accountId, expires_at })
    .execute()
  return `${accountPageUrl}/o/${token}`
}

export type LinkedAccount = { id: string; name: string; email: string }

/** The account that a link names, while the link lasts. It names the account and opens nothing. */
export async function findLinkedAccount(db: Database, token: string, at: Date): Promise<LinkedAccount | undefined> {
  return db
    .selectFrom('owner_links')
    .innerJoin('accounts', 'accounts.id', 'owner_links.account_id')
    .select(['accounts.id', 'accounts.name', 'accounts.email'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', at)
    .where('accounts.standing', '<>', 'closed')
    .executeTakeFirst()
}

const hashToken = (token: string) => createHash('sha256').update(token).digest()
