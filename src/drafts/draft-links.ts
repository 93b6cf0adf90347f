import { hashToken, newToken } from '../accounts/sign-in/tokens.ts'
import { draftLimits } from '../contract/draft-limits.ts'
import type { Database } from '../platform/database/database.ts'

const dayMs = 86_400_000

type NewLink = { accountId: string; accountPageUrl: string; at: Date }

/**
 * Creates a link that opens the account's drafts without a sign-in code, for an email to the owner's verified address.
 * The token is stored hashed.
 */
export async function createDraftLink(db: Database, { accountId, accountPageUrl, at }: NewLink): Promise<string> {
  const token = newToken()
  const expires_at = new Date(at.getTime() + draftLimits.linkDays * dayMs)
  await db
    .insertInto('draft_links')
    .values({ token_hash: hashToken(token), account_id: accountId, created_at: at, expires_at })
    .execute()
  return `${accountPageUrl}/d/${token}`
}

/** A browser that opened an emailed link. It can decide on the account's drafts, and nothing else. */
export type DraftVisit = { token: string; accountId: string }

/** The account of a valid link. A link to an address that the account no longer has is not valid. */
export async function findDraftVisit(db: Database, token: string, at: Date): Promise<DraftVisit | null> {
  const found = await db
    .selectFrom('draft_links')
    .innerJoin('accounts', 'accounts.id', 'draft_links.account_id')
    .select('draft_links.account_id')
    .where('token_hash', '=', hashToken(token))
    .where('draft_links.expires_at', '>', at)
    .where('accounts.standing', '<>', 'closed')
    .whereRef('draft_links.created_at', '>=', 'accounts.email_verified_at')
    .executeTakeFirst()
  return found ? { token, accountId: found.account_id } : null
}
