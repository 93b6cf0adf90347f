import { sql } from 'kysely'
import { expiryCutoff, type PurgedName } from '../contract/retention/periods.ts'
import { hasJob } from '../jobs/backlog.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { type Database, inTransaction, type Transaction } from '../platform/database/database.ts'
import { deleteInBatches, type Purge } from '../platform/repeat.ts'
import { announceDraft } from './announce-draft.ts'

const batchSize = 500
/** The next run, a minute later, handles the rest. */
const maxRounds = 20

/** Enqueues drafts whose time has come, and those whose job was lost. */
export async function enqueueDueDrafts(db: Database, at: Date): Promise<void> {
  for (let round = 0; round < maxRounds; round++)
    if ((await inTransaction(db, (tx) => enqueueSome(tx, at))) < batchSize) return
}

async function enqueueSome(tx: Transaction, at: Date): Promise<number> {
  const { rows } = await sql<{ draft_id: string }>`
    select draft_id from (
      select id as draft_id, coalesce(publish_at, approved_at) as due_at from drafts
      where state = 'scheduled' and coalesce(publish_at, approved_at) <= ${at}
    ) due
    where not ${hasJob('submit-draft', ['draft_id'], 'due')} order by due_at limit ${sql.lit(batchSize)}`.execute(tx)
  for (const { draft_id } of rows) await enqueue(tx, 'submit-draft', { draft_id }, { once: draft_id })
  return rows.length
}

/**
 * Ends drafts that the owner has not approved in time, and erases their text. Each account has its own transaction: its
 * events lock its counter and the lanes of its endpoints, and who locks several lanes takes them in the order of endpoints.
 */
export async function expireDrafts(db: Database, at: Date): Promise<void> {
  const accounts = await db
    .selectFrom('drafts')
    .select('account_id')
    .distinct()
    .where('state', '=', 'awaiting_approval')
    .where('expires_at', '<=', at)
    .limit(batchSize * maxRounds)
    .execute()
  for (const { account_id } of accounts) await inTransaction(db, (tx) => expireOf(tx, account_id, at))
}

async function expireOf(tx: Transaction, accountId: string, at: Date): Promise<void> {
  const { rows } = await sql<{ id: string; kind: string }>`
    update drafts set state = 'expired', content = null, decided_at = ${at} where id in (
      select id from drafts
      where account_id = ${accountId} and state = 'awaiting_approval' and expires_at <= ${at} for update skip locked
    ) returning id, kind`.execute(tx)
  for (const { id, kind } of rows) await announceDraft(tx, { id, kind, accountId, state: 'expired', at })
}

/** The deletion of drafts that ended long ago, and of expired links. */
export const draftPurges = {
  drafts: (db, at) => deleteInBatches(db, 'drafts', sql`decided_at <= ${expiryCutoff('drafts', at)}`),
  'draft-links': (db, at) => deleteInBatches(db, 'draft_links', sql`expires_at <= ${expiryCutoff('draft-links', at)}`),
} satisfies Partial<Record<PurgedName, Purge>>
