import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import { assessAccount, type Trust } from './assess-trust.ts'
import { type TrustFacts, trustThresholds } from './trust-rules.ts'

type Asked = {
  accountId: string
  at: Date
  /** Locks strikes and standing until the transaction ends. */
  hold?: boolean
}

/** An account's trust. Reads at most as many posts as the rules need, regardless of how many there are. */
export async function readTrust(db: Database, { accountId, at, hold = false }: Asked): Promise<Trust> {
  // A separate statement, because the next one must see changes that were committed while this one waited for the lock.
  if (hold) await sql`select from accounts where id = ${accountId} for share`.execute(db)
  return assessAccount(await readFacts(db, accountId), at)
}

async function readFacts(db: Database, accountId: string): Promise<TrustFacts> {
  const { rows } = await sql<TrustFacts>`
    select standing, strikes, created_at as "createdAt", email_verified_at as "emailVerifiedAt",
      refused.at as "lastAbuseAt", accepted.at as "acceptedAt"
    from accounts
    cross join lateral (select max(refused_at) as at from abuse_refusals where account_id = accounts.id) refused
    cross join lateral (
      select array(
        select published_at from posts
        where account_id = accounts.id and published_at > coalesce(refused.at, '-infinity') and ${isNotRemoved}
        order by published_at limit ${sql.lit(trustThresholds.acceptedPosts)}
      ) as at
    ) accepted
    where id = ${accountId}`.execute(db)
  const [facts] = rows
  if (!facts) throw new Error('account not found')
  return facts
}

/** The post's status is not enough, because an author can delete a removed post. */
const isNotRemoved = sql`not exists (
  select from moderation_decisions removal
  where removal.post_id = posts.id and removal.edit = 0 and removal.outcome = 'remove' and not exists (
    select from moderation_decisions back
    where back.post_id = removal.post_id and back.edit = 0 and back.id > removal.id and back.outcome = 'restore'
  )
)`
