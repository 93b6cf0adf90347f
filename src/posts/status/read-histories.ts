import { sql } from 'kysely'
import type { PostStatus } from '../../../generated/database-types.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'

export type OwnPost = { id: string; kind: string; status: PostStatus; created_at: Date; decided_at: Date | null }

export type History = Awaited<ReturnType<typeof readHistories>>[number]

/** What happened to each of these posts: charges, decisions, the latest edit, appeals. */
export async function readHistories<Post extends OwnPost>(db: Database | Transaction, posts: readonly Post[]) {
  const ids = posts.map(({ id }) => id)
  const transferred = await readTransfers(db, ids)
  const decided = await selectDecisions(db, ids).execute()
  const edited = await selectLastEdits(db, ids).execute()
  const appealed = await selectAppeals(db, ids).execute()
  const [money, decisions, edits, appeals] = [
    Map.groupBy(transferred.map(moneyOf), ({ postId }) => postId),
    Map.groupBy(decided, ({ post_id }) => post_id),
    new Map(edited.map((edit) => [edit.post_id, edit])),
    Map.groupBy(appealed, ({ post_id }) => post_id),
  ]
  return posts.map((post) => ({
    post,
    money: money.get(post.id) ?? [],
    decisions: decisions.get(post.id) ?? [],
    edit: edits.get(post.id),
    appeals: appeals.get(post.id) ?? [],
  }))
}

/**
 * The transfers for each post and its edits. An edit's subject is `<post>/<number>`; a repeated penalty adds
 * `/<count>`.
 */
async function readTransfers(db: Database | Transaction, postIds: readonly string[]) {
  // An index range for each post: '0' is the character after '/'.
  const { rows } = await sql<TransferRow>`
    select wanted.id as "postId", transfer.subject, transfer.reason, transfer.amount_micros
    from unnest(${postIds}::text[]) as wanted(id) cross join lateral (
      select subject, reason, amount_micros from ledger_transfers
      where subject >= wanted.id and subject < wanted.id || '0'
    ) transfer`.execute(db)
  return rows
}

type TransferRow = { postId: string; subject: string; reason: string; amount_micros: number }

const moneyOf = ({ postId, subject, reason, amount_micros: amount }: TransferRow) => ({
  postId,
  edit: Number(subject.split('/')[1] ?? 0),
  chargedMicros: ['post', 'edit', 'penalty'].includes(reason) ? amount : 0,
  refundedMicros: ['refund', 'review_return', 'penalty_return'].includes(reason) ? amount : 0,
  isRefund: reason === 'refund',
  isReviewReturn: reason === 'review_return',
})

const selectDecisions = (db: Database | Transaction, postIds: readonly string[]) =>
  db
    .selectFrom('moderation_decisions as made')
    .leftJoin('decision_proofs', 'decision_proofs.decision_id', 'made.id')
    .select(['made.post_id', 'edit', 'outcome', 'category', 'reason', 'automated', 'model', 'policy_version'])
    .select(['decided_at', 'decision_proofs.salt', 'decision_proofs.origin', 'decision_proofs.entry_index'])
    .where('made.post_id', '=', sql<string>`any(${postIds})`)
    .orderBy('made.id')

const selectLastEdits = (db: Database | Transaction, postIds: readonly string[]) =>
  db
    .selectFrom('post_edits')
    .distinctOn('post_id')
    .select(['post_id', 'number', 'status', 'submitted_at'])
    .where('post_id', '=', sql<string>`any(${postIds})`)
    .orderBy('post_id')
    .orderBy('number', 'desc')

const selectAppeals = (db: Database | Transaction, postIds: readonly string[]) =>
  db
    .selectFrom('appeals')
    .select(['post_id', 'edit', 'submitted_at', 'outcome'])
    .where('post_id', '=', sql<string>`any(${postIds})`)
