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
  await inRounds(db, (tx) => enqueueSome(tx, at))
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

/** Ends drafts that the owner has not approved in time, and erases their text. */
export async function expireDrafts(db: Database, at: Date): Promise<void> {
  await inRounds(db, (tx) => expireSome(tx, at))
}

async function expireSome(tx: Transaction, at: Date): Promise<number> {
  const { rows } = await sql<{ id: string; account_id: string; kind: string }>`
    update drafts set state = 'expired', content = null, decided_at = ${at} where id in (
      select id from drafts where state = 'awaiting_approval' and expires_at <= ${at}
      order by expires_at limit ${sql.lit(batchSize)} for update skip locked
    ) returning id, account_id, kind`.execute(tx)
  // In the order of accounts, because each event locks its account's counter.
  const inOrder = rows.toSorted((one, other) => (one.account_id < other.account_id ? -1 : 1))
  for (const { id, account_id: accountId, kind } of inOrder)
    await announceDraft(tx, { id, kind, accountId, state: 'expired', at })
  return rows.length
}

async function inRounds(db: Database, work: (tx: Transaction) => Promise<number>): Promise<void> {
  for (let round = 0; round < maxRounds; round++) if ((await inTransaction(db, work)) < batchSize) return
}

/** The deletion of drafts that ended long ago, and of expired links. */
export const draftPurges = {
  drafts: (db, at) => deleteInBatches(db, 'drafts', sql`decided_at <= ${expiryCutoff('drafts', at)}`),
  'draft-links': (db, at) => deleteInBatches(db, 'draft_links', sql`expires_at <= ${expiryCutoff('draft-links', at)}`),
} satisfies Partial<Record<PurgedName, Purge>>
