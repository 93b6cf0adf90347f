import { sql } from 'kysely'
import { draftLimits } from '../contract/draft-limits.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { type Database, inTransaction, type Transaction } from '../platform/database/database.ts'

const quietMs = draftLimits.minutesBetweenEmails * 60_000
/** The maximum number of accounts per run. The next run, a minute later, handles the rest. */
const batchSize = 500

/** Emails owners whose approval is needed, at most once in 15 minutes, if their address is verified. */
export async function notifyOfDrafts(db: Database, at: Date): Promise<void> {
  for (const accountId of await listAccounts(db, at))
    await inTransaction(db, (tx) => notifyAccount(tx, { accountId, at }))
}

/** An owner who verifies the address later is told then. */
async function listAccounts(db: Database, at: Date): Promise<string[]> {
  const { rows } = await sql<{ account_id: string }>`
    select waiting.account_id from drafts waiting
    join accounts on accounts.id = waiting.account_id and accounts.standing = 'good'
      and accounts.email_verified_at is not null
    where waiting.state = 'awaiting_approval' and waiting.told_at is null and waiting.expires_at > ${at} and not exists (
      select from drafts told
      where told.account_id = waiting.account_id and told.told_at > ${new Date(at.getTime() - quietMs)}
    )
    group by waiting.account_id order by min(waiting.created_at) limit ${batchSize}`.execute(db)
  return rows.map(({ account_id }) => account_id)
}

/** Enqueues one email about all drafts that the owner has not been told of, unless another worker did it first. */
async function notifyAccount(tx: Transaction, { accountId, at }: { accountId: string; at: Date }): Promise<void> {
  const { rows } = await sql`
    update drafts set told_at = ${at} where id in (
      select id from drafts where account_id = ${accountId} and state = 'awaiting_approval' and told_at is null
      order by id for update
    ) returning id`.execute(tx)
  if (rows.length === 0) return
  const subject = `${accountId}/${at.toISOString()}`
  await enqueue(tx, 'tell-owner', { account_id: accountId, about: 'drafts_waiting', subject })
}
