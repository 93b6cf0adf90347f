import { sql } from 'kysely'
import { ownerLinkSeconds } from '../../contract/limits.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { hashToken, newToken } from './tokens.ts'

type NewLink = {
  accountId: string
  accountPageUrl: string
  at: Date
  /** The link is sent only to the owner's mailbox. */
  mailed?: true
}

/** Each new link deletes a few expired ones, so the table contains about an hour of links at most. */
const sweptPerLink = 10

/** Creates a link to the owner page, valid for an hour. The token is stored hashed. */
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

/** The account of a valid link. A link identifies the account but gives no access. */
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

export type OwnerVisit = {
  token: string
  account: {
    id: string
    name: string
    email: string
    /** The policy version that the agent accepted when it created the account. */
    policy_version: string
    created_at: Date
    email_verified_at: Date | null
  }
  /** We emailed the link, so its user can read the mailbox. An agent could have opened any other link. */
  byMailedLink: boolean
}

type NewVisit = { accountId: string; byMailedLink: boolean; at: Date }

/** Exchanges an opened link for a visit token, so that the link's token leaves the address bar. */
export async function openVisit(db: Database, { accountId, byMailedLink, at }: NewVisit): Promise<string> {
  const token = newToken()
  const expires_at = new Date(at.getTime() + ownerLinkSeconds * 1_000)
  await db
    .insertInto('owner_visits')
    .values({ token_hash: hashToken(token), account_id: accountId, expires_at, by_mailed_link: byMailedLink })
    .execute()
  return token
}

/** The account that this browser is visiting. A visit identifies the account but gives no access. */
export async function findVisit(db: Database, token: string, at: Date): Promise<OwnerVisit | null> {
  const found = await db
    .selectFrom('owner_visits')
    .innerJoin('accounts', 'accounts.id', 'owner_visits.account_id')
    .select(['accounts.id', 'accounts.name', 'accounts.email', 'accounts.policy_version', 'accounts.created_at'])
    .select(['accounts.email_verified_at', 'owner_visits.by_mailed_link'])
    .where('token_hash', '=', hashToken(token))
    .where('expires_at', '>', at)
    .where('accounts.standing', '<>', 'closed')
    .executeTakeFirst()
  if (!found) return null
  const { by_mailed_link: byMailedLink, ...account } = found
  return { token, account, byMailedLink }
}

/** Ends the visit: the browser now has a session. */
export async function endVisit(tx: Transaction, token: string): Promise<void> {
  await tx.deleteFrom('owner_visits').where('token_hash', '=', hashToken(token)).execute()
}
