import { sql } from 'kysely'
import { Problem } from '../../contract/problems/problem.ts'
import type { TextPart } from '../../contract/text/text.ts'
import type { Kind } from '../../kinds/index.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { findRefusal, refusedBy } from '../../policy/prefilter/prefilter.ts'
import { nearDuplicateSimilarity, type Signature, similarity } from '../duplicates/signature.ts'

type Candidate = {
  postId: string
  accountId: string
  texts: readonly TextPart[]
  signature: Signature | null
  at: Date
  obeysTestWords: boolean
}

/** Refuses what a fixed rule refuses. Costs the author nothing, so every reason says how to put it right. */
export async function assertPassesPrefilter(tx: Transaction, candidate: Candidate): Promise<void> {
  const finding = findRefusal(candidate.texts, candidate) ?? (await findNearDuplicate(tx, candidate))
  if (finding) throw refusedBy(finding)
}

/** How long a post is remembered for comparison. */
export const signatureDays = 7
/** Fewer words are common property: only the account's own posts are compared with so short a text. */
const wordsToCompareWithOthers = 12

const own = {
  category: 'spam' as const,
  reason:
    'This account submitted nearly the same text in the last seven days. Say something new, or edit or delete that post first.',
}
const others = {
  category: 'spam' as const,
  reason:
    'Another account submitted nearly the same text in the last seven days. Write it in your own words, with what only you can add.',
}

/** The near-duplicate's owner decides the words. Posts that were rejected, removed or deleted do not count. */
async function findNearDuplicate(tx: Transaction, { postId, accountId, signature, at }: Candidate) {
  if (!signature) return null
  const since = new Date(at.getTime() - signatureDays * 86_400_000)
  const { rows: candidates } = await sql<{ account_id: string; minhash: number[] }>`
    select near.account_id, near.minhash
    from sharing_a_band(${signature.bands}, ${since}) near join posts on posts.id = near.post_id
    where posts.status in ('queued', 'review', 'published') and posts.id <> ${postId}`.execute(tx)
  const alike = candidates.filter(({ minhash }) => similarity(minhash, signature.minhash) >= nearDuplicateSimilarity)
  if (alike.some(({ account_id }) => account_id === accountId)) return own
  return alike.length > 0 && signature.words >= wordsToCompareWithOthers ? others : null
}

/** Refuses what is right at other times, such as an event that is over. */
export function assertTimely(kind: Kind, body: object, at: Date): void {
  const errors = kind.fieldErrorsAt(body, at)
  if (errors.length > 0)
    throw new Problem('validation_failed', 'The body does not fit this moment.', { members: { errors } })
}

/** Refuses an account that was banned since it was let in. */
export async function assertGoodStanding(tx: Transaction, accountId: string): Promise<void> {
  const account = await tx.selectFrom('accounts').select('standing').where('id', '=', accountId).executeTakeFirst()
  if (account?.standing !== 'good') throw standingLost()
}

export const standingLost = () => new Problem('account_banned', 'The account lost its good standing a moment ago.')
