import type { Database, Transaction } from '../platform/database.ts'
import { isAbusive } from '../policy/policy.ts'
import { type LockedPost, lockPost } from '../posts/change-status.ts'
import type { Sites } from '../posts/sites.ts'
import { applyDecision } from './apply-decision.ts'
import { settle } from './consequences.ts'
import { recordDecision } from './record-decision.ts'

type Upheld = { postId: string; actor: string; at: Date }

/**
 * Says that a refusal was wrong: strike and penalty are taken back. A removed post returns. A rejected one or a rejected
 * edit cannot be published any more, so all of its fee comes back, and it can be submitted again. False when there is
 * nothing to uphold.
 */
export async function upholdAppeal(tx: Transaction, sites: Sites, { postId, actor, at }: Upheld): Promise<boolean> {
  const post = await lockPost(tx, postId)
  const refusal = post && (await findRefusal(tx, post))
  if (!refusal) return false
  const { edit, punished } = refusal
  const decision = { postId, edit, outcome: 'restore' as const, category: null, by: { automated: false, actor }, at }
  if (edit === 0 && post.status === 'removed') {
    await applyDecision(tx, sites, { ...decision, from: ['removed'], punished })
  } else {
    const whose = { accountId: post.account_id, postId, edit, priceMicros: 0, at }
    await settle(tx, { refunds: true, punishes: false, absolves: punished }, whose)
    await recordDecision(tx, decision)
  }
  await tx
    .updateTable('appeals')
    .set({ outcome: 'upheld', decided_at: at })
    .where('post_id', '=', postId)
    .where('edit', '=', edit)
    .where('outcome', 'is', null)
    .execute()
  return true
}

/** What is to be taken back: a removal first, then the refusal that is appealed, or else the newest one that still stands. */
async function findRefusal(tx: Transaction, post: LockedPost) {
  const standing = await standingRefusals(tx, post)
  const appeals = await tx
    .selectFrom('appeals')
    .select('edit')
    .where('post_id', '=', post.id)
    .where('outcome', 'is', null)
    .orderBy('submitted_at')
    .execute()
  const removal = post.status === 'removed' ? standing.find(({ edit }) => edit === 0) : undefined
  const appealed = standing.find((refusal) => appeals.some(({ edit }) => edit === refusal.edit))
  return removal ?? appealed ?? standing[0]
}

/** Refusals of the post and of its edits that were not taken back, the newest first. */
export async function standingRefusals(db: Database | Transaction, post: Pick<LockedPost, 'id' | 'status'>) {
  const decisions = await db
    .selectFrom('moderation_decisions')
    .select(['edit', 'outcome', 'category'])
    .where('post_id', '=', post.id)
    .where('outcome', 'in', ['publish', 'low_quality', 'abuse', 'remove', 'restore'])
    .orderBy('id', 'desc')
    .execute()
  const last = [...Map.groupBy(decisions, ({ edit }) => edit).values()].flatMap((own) => own.slice(0, 1))
  return last
    .filter(({ outcome }) => outcome !== 'restore' && outcome !== 'publish')
    .map(({ edit, category }) => ({ edit, punished: isAbusive(category) }))
}
