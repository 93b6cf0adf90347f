import { sql } from 'kysely'
import type { LedgerBook, LedgerReason, PaymentCause, PostStatus } from '../../../generated/database-types.ts'
import type { Database } from '../../platform/database/database.ts'
import { rejectionReversed } from '../posts/list-posts.ts'

export type ListedCharge = {
  id: string
  reason: LedgerReason
  entered_at: Date
  from_book: LedgerBook
  to_book: LedgerBook
  amount_micros: number
  subject: string
  post_id: string | null
  kind: string | null
  status: PostStatus | null
  /** The post was rejected, and a person has reversed that. */
  isReversed: boolean
  content: object | null
  /** The key that spent the amount, or that sent the post to which a refund or penalty belongs. */
  key_name: string | null
  cause: PaymentCause | null
  /** True for a penalty that includes a fee returned during the review. */
  takes_fee: boolean
}

type Wanted = { accountId: string; before: string | null; limit: number }

/** The account's transfers with their purposes, newest first. Ids sort by time. */
export async function listCharges(db: Database, { accountId, before, limit }: Wanted): Promise<ListedCharge[]> {
  const { rows } = await sql<ListedCharge>`
    select txn.id, txn.reason, txn.entered_at, txn.from_book, txn.to_book, txn.amount_micros, txn.subject,
      posts.id as post_id, posts.kind, posts.status,
      ${rejectionReversed} as "isReversed", posts.content, api_keys.name as key_name, payments.cause,
      txn.reason = 'penalty' and exists (
        select from ledger_transfers where subject = txn.subject and reason = 'review_return'
      ) as takes_fee
    from ledger_transfers txn
    left join posts on posts.id = split_part(txn.subject, '/', 1) and posts.account_id = txn.account_id
    left join payments on payments.id = txn.subject and payments.account_id = txn.account_id
    left join lateral (
      select key_id from ledger_transfers sent
      where txn.key_id is null and txn.reason in ('refund', 'review_return', 'penalty', 'penalty_return')
        and sent.subject in (txn.subject, split_part(txn.subject, '/', 1)) and sent.account_id = txn.account_id
        and sent.key_id is not null
      order by sent.subject = txn.subject desc limit 1
    ) sender on true
    left join api_keys on api_keys.id = coalesce(txn.key_id, sender.key_id) and api_keys.account_id = txn.account_id
    where txn.account_id = ${accountId} ${before ? sql`and txn.id < ${before}` : sql``}
    order by txn.id desc limit ${limit}`.execute(db)
  return rows
}
