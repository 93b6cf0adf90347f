import type { Transaction } from '../platform/database.ts'
import type { PolicyCategoryId } from '../policy/policy.ts'
import { undecided } from '../posts/lifecycle.ts'
import type { Sites } from '../posts/sites.ts'
import { applyDecision } from './apply-decision.ts'
import { settle } from './consequences.ts'

type ByPerson = { postId: string; actor: string; at: Date }
export type Verdict = { outcome: 'publish' | 'low_quality' | 'abuse'; category: PolicyCategoryId | null }

/** Decides what waits: the post itself, or else an edit of it. False when nothing does. */
export async function decideReview(tx: Transaction, sites: Sites, verdict: Verdict & ByPerson): Promise<boolean> {
  const { postId, outcome, category, actor, at } = verdict
  const decision = { postId, outcome, category, by: { automated: false, actor }, from: undecided, at }
  const edit = await openEdit(tx, postId)
  return (
    (await applyDecision(tx, sites, { ...decision, edit: 0 })) ||
    (edit !== undefined && (await applyDecision(tx, sites, { ...decision, edit })))
  )
}

/** Takes a published post down. An edit that waits goes with it, and its fee comes back. False when it is not published. */
export async function removePost(
  tx: Transaction,
  sites: Sites,
  { postId, category, actor, at }: ByPerson & { category: PolicyCategoryId },
): Promise<boolean> {
  const decision = { postId, edit: 0, outcome: 'remove', category, by: { automated: false, actor }, at } as const
  if (!(await applyDecision(tx, sites, { ...decision, from: ['published'] }))) return false
  const edit = await openEdit(tx, postId)
  if (edit !== undefined) await cancelEdit(tx, { postId, edit, at })
  return true
}

async function openEdit(tx: Transaction, postId: string): Promise<number | undefined> {
  const edit = await tx
    .selectFrom('post_edits')
    .select('number')
    .where('post_id', '=', postId)
    .where('status', 'in', undecided)
    .executeTakeFirst()
  return edit?.number
}

async function cancelEdit(tx: Transaction, { postId, edit, at }: { postId: string; edit: number; at: Date }) {
  const { account_id: accountId } = await tx
    .selectFrom('posts')
    .select('account_id')
    .where('id', '=', postId)
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('post_edits')
    .set({ status: 'cancelled', content: null, facets: '{}', links: [], decided_at: at })
    .where('post_id', '=', postId)
    .where('number', '=', edit)
    .execute()
  const refunds = { refunds: true, punishes: false, absolves: false }
  await settle(tx, refunds, { accountId, postId, edit, priceMicros: 0, at })
}
