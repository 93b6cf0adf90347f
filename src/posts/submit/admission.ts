import { Problem } from '../../contract/problems/problem.ts'
import { keptFor } from '../../contract/retention/periods.ts'
import type { TextPart } from '../../contract/text/text.ts'
import type { Kind } from '../../kinds/index.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { findRefusal, refusedBy } from '../../policy/prefilter/prefilter.ts'
import { findNearDuplicates, hasEarlierSimilarPost, maxReviewedCopies } from '../duplicates/near-duplicates.ts'
import type { Signature } from '../duplicates/signature.ts'
import { assertReviewQuota } from '../review/review-quota.ts'

type Candidate = {
  kind: Kind
  postId: string
  accountId: string
  texts: readonly TextPart[]
  signature: Signature | null
  at: Date
  obeysTestWords: boolean
}

/**
 * Rejects posts that match a fixed rule, and those of authors who reached the review quota. This is free for the author,
 * and every reason explains what to change.
 */
export async function assertAdmissible(db: Database, candidate: Candidate): Promise<void> {
  await assertPassesPrefilter(db, candidate)
  await assertReviewQuota(db, candidate)
}

/** The same without the review quota, for drafts. */
export async function assertPassesPrefilter(db: Database, candidate: Candidate): Promise<void> {
  const finding = findRefusal(candidate.texts, candidate)
  if (finding) throw refusedBy(finding)
  await assertOriginal(db, candidate)
}

const own = {
  category: 'spam' as const,
  reason:
    `This account submitted nearly the same text in the last ${keptFor('signatures')}. ` +
    'Say something new, or edit or delete that post first.',
}
const others = {
  category: 'spam' as const,
  reason:
    `Several other accounts submitted nearly the same text in the last ${keptFor('signatures')}. ` +
    'Write it in your own words and add something that only you know.',
}

/** The message depends on who owns the near-duplicates. A few copies by others are left to moderation. */
async function assertOriginal(db: Database, { kind, signature, ...whose }: Candidate): Promise<void> {
  if (!signature) return
  const text = { ...whose, signature }
  const found = await findNearDuplicates(db, text)
  if (found.own) throw refusedBy(own)
  const isFlood = found.others >= maxReviewedCopies && !(await hasEarlierSimilarPost(db, text, kind))
  if (isFlood) throw refusedBy(others)
}

/** Rejects posts that are not valid at this time, such as a past event. */
export function assertTimely(kind: Kind, body: object, at: Date): void {
  const errors = kind.fieldErrorsAt(body, at)
  if (errors.length > 0)
    throw new Problem('validation_failed', 'Some fields are not valid at this time. See `errors`.', {
      members: { errors },
    })
}

/** Rejects the call if the account was banned after the call was authenticated. */
export async function assertGoodStanding(tx: Transaction, accountId: string): Promise<void> {
  const account = await tx.selectFrom('accounts').select('standing').where('id', '=', accountId).executeTakeFirst()
  if (account?.standing !== 'good') throw standingLost()
}

export const standingLost = () => new Problem('account_banned', 'The account was banned a moment ago.')
