import { createHash, randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { ownerLinkSeconds } from '../contract/limits.ts'
import type { Database, Transaction } from '../platform/database.ts'

type NewLink = { accountId: string; accountPageUrl: string; at: Date }

/** Each new link sweeps away a few that have lapsed, so there are never more than an hour at the platform's ceiling makes. */
const sweptPerLink = 10

/** Makes a link to the owner page, good for an hour. The token is stored hashed. */
export async function createOwnerLink(db: Database | Transaction, { accountId, accountPageUrl, at }: NewLink) {
  const token = randomBytes(32).toString('base64url')
  const expires_at = new Date(at.getTime() + ownerLinkSeconds * 1_000)
  await sql`
    delete from owner_links where token_hash in (
      select token_hash from owner_links where expires_at <= ${at} limit ${sweptPerLink} for update skip locked
    )`.execute(db)
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
