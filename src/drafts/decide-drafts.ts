import { sql } from 'kysely'
import { recordOwnerAction } from '../accounts/owner-audit-log.ts'
import { enqueue } from '../jobs/enqueue.ts'
import { type Database, inTransaction, type Transaction } from '../platform/database/database.ts'
import { announceDraft } from './announce-draft.ts'

export type DraftDecision = 'approve' | 'decline'

type Deciding = { accountId: string; ids: readonly string[]; decision: DraftDecision; at: Date }

/** `unchanged` counts drafts that were decided, cancelled or submitted before, or have expired. */
export type DecidedDrafts = { decided: number; unchanged: number }

/**
 * Approves or declines drafts of one account in one transaction, each at most once. An approved draft whose time has
 * come is submitted by a worker within seconds.
 */
export function decideDrafts(db: Database, deciding: Deciding): Promise<DecidedDrafts> {
  return inTransaction(db, async (tx) => {
    const { accountId, ids, decision, at } = deciding
    const decided = await steps[decision](tx, deciding)
    for (const { id } of decided)
      await recordOwnerAction(tx, { accountId, action: `owner.${decision}_draft`, at, details: { draft_id: id } })
    return { decided: decided.length, unchanged: new Set(ids).size - decided.length }
  })
}

type Decided = { id: string; kind: string; publish_at: Date | null }

const steps: Record<DraftDecision, (tx: Transaction, deciding: Deciding) => Promise<Decided[]>> = {
  approve: async (tx, { accountId, ids, at }) => {
    const { rows } = await sql<Decided>`
      update drafts set state = 'scheduled', approved_at = ${at}
      where id in (${lockedIds(accountId, ids)}) and state = 'awaiting_approval' and expires_at > ${at}
      returning id, kind, publish_at`.execute(tx)
    for (const { id, publish_at } of rows)
      if (!publish_at || publish_at <= at) await enqueue(tx, 'submit-draft', { draft_id: id }, { once: id })
    return rows
  },
  decline: async (tx, { accountId, ids, at }) => {
    const { rows } = await sql<Decided>`
      update drafts set state = 'declined', content = null, decided_at = ${at}
      where id in (${lockedIds(accountId, ids)}) and state in ('awaiting_approval', 'scheduled')
      returning id, kind, publish_at`.execute(tx)
    for (const { id, kind } of rows) await announceDraft(tx, { id, kind, accountId, state: 'declined', at })
    return rows
  },
}

/** Locked in the order of identifiers, so that two forms with the same drafts do not block each other forever. */
const lockedIds = (accountId: string, ids: readonly string[]) => sql`
  select id from (
    select id from drafts where account_id = ${accountId} and id = any (${ids}::text[]) order by id for update
  ) locked`
