import { sql } from 'kysely'
import { ownerLinkSeconds } from '../contract/limits.ts'
import type { Database, Transaction } from '../platform/database.ts'
import { hashToken, newToken } from './sign-in/token.ts'

type NewLink = {
  accountId: string
  accountPageUrl: string
  at: Date
  /** It goes to the owner's mailbox and nowhere else. */
  mailed?: true
}

/** Each new link sweeps away a few that have lapsed, so there are never more than an hour at the platform's ceiling makes. */
const sweptPerLink = 10

/** Makes a link to the owner page, good for an hour. The token is stored hashed. */
export async function createOwnerLink(db: Database | Transaction, { accountId, accountPageUrl, at, mailed }: NewLink) {
  const token = newToken()
  const expires_at = new Date(at.getTime() + ownerLinkSeconds * 1_000)
  await sql`
    delete from owner_links where token_hash in (
      select token_hash from owner_links where expires_at <= ${at} limit ${sweptPerLink} for update skip locked
    )`.execute(db)
  await db
    .insertInto('owner_links')
    .values({ token_hash: hashToken(token), account_id: accountId, expires_at, ...(mailed && { mailed }) })
    .execute()
  return `${accountPageUrl}/o/${token}`
}

/** The account that a link names, while the link lasts. It names the account and opens nothing. */
export async function findLinkedAccount(db: Database, token: string, at: Date) {
  return db
    .selectFrom('owner_links')
    .innerJoin('accounts', 'accounts.id', 'owner_links.account_id')
    .select(['accounts.id', 'owner_links.mailed'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', at)
    .where('accounts.standing', '<>', 'closed')
    .executeTakeFirst()
}
