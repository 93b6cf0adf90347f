import { sql } from 'kysely'
import { enqueue } from '../../jobs/enqueue.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'

/** What posts show of an author that is a verified agent. */
export type AgentMark = { agent_domain: string; agent_directory_url: string; agent_verified_at: Date }
export type NoMark = { agent_domain: null; agent_directory_url: null; agent_verified_at: null }

export const noMark: NoMark = { agent_domain: null, agent_directory_url: null, agent_verified_at: null }

/**
 * The mark of an account as its posts show it. In a transaction that publishes or changes a post, the mark cannot change
 * until the commit: whoever changes it waits, and then rewrites that post too.
 */
export async function readMarkForPost(tx: Transaction, accountId: string): Promise<AgentMark | NoMark> {
  await sql`select pg_advisory_xact_lock_shared(${markLock}, hashtext(${accountId}))`.execute(tx)
  const agent = await readVerifiedAgent(tx, accountId)
  if (!agent) return noMark
  return { agent_domain: agent.domain, agent_directory_url: agent.directoryUrl, agent_verified_at: agent.verifiedAt }
}

/** Waits for posts that are being published. Call it before changing the mark. */
export async function lockMark(tx: Transaction, accountId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${markLock}, hashtext(${accountId}))`.execute(tx)
}

/** The class of these advisory locks. */
const markLock = sql.lit(61_097)

/** Rewrites the account's published posts with its current mark. */
export const enqueueMarkRefresh = (tx: Transaction, accountId: string) =>
  enqueue(tx, 'refresh-author-mark', { account_id: accountId }, { once: accountId })

/** The domain that an account is a verified agent of. None while the account is banned. */
export async function readVerifiedAgent(db: Database, accountId: string) {
  const row = await db
    .selectFrom('agent_keys')
    .innerJoin('accounts', 'accounts.id', 'agent_keys.account_id')
    .select(['domain', 'directory_url', 'decided_at'])
    .where('account_id', '=', accountId)
    .where('state', '=', 'verified')
    .where('standing', '=', 'good')
    .executeTakeFirst()
  return row?.decided_at ? { domain: row.domain, directoryUrl: row.directory_url, verifiedAt: row.decided_at } : null
}
