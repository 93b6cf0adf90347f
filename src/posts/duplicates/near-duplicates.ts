import { sql } from 'kysely'
import { expiryCutoff } from '../../contract/retention/periods.ts'
import type { Kind } from '../../kinds/index.ts'
import type { Database } from '../../platform/database/database.ts'
import { nearDuplicateSimilarity, type Signature, signatureOf, similarity } from './signature.ts'

/** Shorter texts are often similar by coincidence, so they are compared only with the account's own posts. */
const wordsToCompareWithOthers = 12

/**
 * When this many other accounts have nearly the same text, the next one is refused instead of reviewed. So a flood from
 * a thousand accounts costs people a few looks.
 */
export const maxReviewedCopies = 5

/** `at` is when the text was submitted. */
type Text = { postId: string; accountId: string; signature: Signature; at: Date }
type Found = {
  /** The account has such a text itself. */
  own: boolean
  /** How many other accounts have one. */
  others: number
}

/**
 * Who has nearly the same text, among the posts of the last week; with `before`, only among those that were submitted
 * earlier. Rejected, removed and deleted posts do not count.
 */
export async function findNearDuplicates(
  db: Database,
  { postId, accountId, signature, at }: Text,
  before: Date | null = null,
): Promise<Found> {
  const { rows } = await sql<{ account_id: string; minhash: number[] }>`
    select near.account_id, near.minhash
    from sharing_a_band(${signature.bands}, ${expiryCutoff('signatures', at)}) near join posts on posts.id = near.post_id
    where posts.status in ('queued', 'review', 'published') and posts.id <> ${postId}
      and (${before}::timestamptz is null or (near.created_at, near.post_id) < (${before}, ${postId}))`.execute(db)
  const alike = rows.filter(({ minhash }) => similarity(minhash, signature.minhash) >= nearDuplicateSimilarity)
  const accounts = new Set(alike.map(({ account_id }) => account_id))
  const own = accounts.delete(accountId)
  return { own, others: signature.words >= wordsToCompareWithOthers ? accounts.size : 0 }
}

/** An author who repeats a text repeats it within this many posts of the kind. */
const comparedOwnPosts = 100

/**
 * Whether the author had nearly the same text before, however long ago, in a post that was not rejected or removed. Then
 * the text is theirs, even if another account was faster this time. Signatures are kept for a week, so this reads texts.
 */
export async function hasEarlierSimilarPost(
  db: Database,
  { accountId, signature, at }: Text,
  kind: Pick<Kind, 'name' | 'texts'>,
): Promise<boolean> {
  const posts = await db
    .selectFrom('posts')
    .select('content')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind.name)
    .where('status', 'in', ['queued', 'review', 'published'])
    .where('created_at', '<', at)
    .orderBy('id', 'desc')
    .limit(comparedOwnPosts)
    .execute()
  return posts.some(({ content }) => {
    const earlier = signatureOf(kind.texts(content as object))
    return earlier !== null && similarity(earlier.minhash, signature.minhash) >= nearDuplicateSimilarity
  })
}
