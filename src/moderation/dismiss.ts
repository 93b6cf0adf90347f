import type { Transaction } from '../platform/database.ts'
import { lockPost } from '../posts/change-status.ts'
import { decisionsAbout, isRefusal } from '../posts/standing-refusals.ts'
import { closeAppeal } from './close-appeal.ts'

type Dismissed = { postId: string; edit: number; actor: string; at: Date }

/**
 * Says that a refusal was right: its appeal is over, and nothing else changes. False when none is open, and when the
 * actor made that decision: its author was promised another person.
 */
export async function dismissAppeal(tx: Transaction, { postId, edit, actor, at }: Dismissed): Promise<boolean> {
  const post = await lockPost(tx, postId)
  if (!post || (await refusedBy(tx, postId, edit)) === actor) return false
  return closeAppeal(tx, { post, edit, outcome: 'dismissed', at })
}

async function refusedBy(tx: Transaction, postId: string, edit: number): Promise<string | undefined> {
  const decisions = await decisionsAbout(tx, postId)
  return decisions.find((decision) => decision.edit === edit && isRefusal(decision))?.actor
}
