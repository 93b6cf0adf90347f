import { kinds } from '../../kinds/index.ts'
import { estimateFor } from '../../moderation/status/estimate.ts'
import type { Database } from '../../platform/database/database.ts'
import { readStatus } from '../../posts/status/read-post-status.ts'
import { isAgainst, isRefusal, refusalsThatStand, refusalToAppeal } from '../../posts/status/refusals.ts'
import type { OwnerRequest } from '../route.ts'

export type OwnedPost = NonNullable<Awaited<ReturnType<typeof readOwnedPost>>>

/** One of the owner's posts with all its decisions; null if the post belongs to another account. */
export async function readOwnedPost({ db, clock, session, baseUrls }: OwnerRequest<'session', unknown>, id: string) {
  const post = await db
    .selectFrom('posts')
    .select(['id', 'kind', 'status', 'content', 'created_at', 'decided_at'])
    .where('id', '=', id)
    .where('account_id', '=', session.accountId)
    .executeTakeFirst()
  if (!post) return null
  const baseUrl = String(baseUrls[post.kind])
  const { accountId } = session
  const context = {
    baseUrl,
    estimate: (edit: number) => estimateFor({ db, clock }, { accountId, postId: id, edit }),
    at: clock.now(),
  }
  const [decisions, appeals] = [await readDecisions(db, id), await readAppeals(db, id)]
  const lastRefusal = (edit: number) => decisions.find((decision) => decision.edit === edit && isRefusal(decision))
  return {
    ...post,
    baseUrl,
    content: post.content as object | null,
    definition: kinds.find(({ name }) => name === post.kind),
    record: await readStatus(db, post, context),
    feeReturnHours: await readFeeReturnHours(db),
    decisions,
    /** The post was rejected, and a person has reversed that. */
    isReversed: post.status === 'rejected' && !refusalsThatStand(decisions).some(({ edit }) => edit === 0),
    appeals: appeals.map((appeal) => {
      const refusal = lastRefusal(appeal.edit)
      return { ...appeal, isOfEarlier: refusal !== undefined && !isAgainst(appeal, refusal) }
    }),
    /** The decision that the owner can appeal, if any. */
    appealable: refusalToAppeal({ status: post.status, newestFirst: decisions, appeals }),
  }
}

async function readFeeReturnHours(db: Database): Promise<number> {
  const { fee_return_seconds } = await db
    .selectFrom('review_pace')
    .select('fee_return_seconds')
    .executeTakeFirstOrThrow()
  return fee_return_seconds / 3_600
}

const readDecisions = (db: Database, postId: string) =>
  db
    .selectFrom('moderation_decisions')
    .select(['edit', 'outcome', 'category', 'reason', 'automated', 'policy_version', 'decided_at'])
    .where('post_id', '=', postId)
    .orderBy('id', 'desc')
    .execute()

const readAppeals = (db: Database, postId: string) =>
  db
    .selectFrom('appeals')
    .select(['edit', 'message', 'submitted_at', 'outcome', 'decided_at'])
    .where('post_id', '=', postId)
    .orderBy('submitted_at', 'desc')
    .execute()
