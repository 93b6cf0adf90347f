import { kinds } from '../../kinds/index.ts'
import { estimateFor } from '../../moderation/estimate-for.ts'
import { standingRefusals } from '../../moderation/uphold.ts'
import type { Database } from '../../platform/database.ts'
import { readStatus } from '../../posts/read-status.ts'
import type { Asked } from '../route.ts'

export type OwnedPost = NonNullable<Awaited<ReturnType<typeof readOwnedPost>>>

/** A post of the owner's with all that was decided about it; null when it is not theirs. */
export async function readOwnedPost({ db, clock, session, baseUrls }: Asked<'session', unknown>, id: string) {
  const post = await db
    .selectFrom('posts')
    .select(['id', 'kind', 'status', 'content', 'created_at', 'decided_at'])
    .where('id', '=', id)
    .where('account_id', '=', session.accountId)
    .executeTakeFirst()
  if (!post) return null
  const context = { baseUrl: String(baseUrls[post.kind]), estimate: () => estimateFor({ db, clock }, 'waiting') }
  const appeals = await readAppeals(db, id)
  const [refusal] = post.status === 'deleted' ? [] : await standingRefusals(db, post)
  return {
    ...post,
    content: post.content as object | null,
    definition: kinds.find(({ name }) => name === post.kind),
    record: await readStatus(db, post, context),
    decisions: await readDecisions(db, id),
    appeals,
    /** Whether the refusal that an appeal would be about has not been appealed yet. */
    canAppeal: refusal !== undefined && !appeals.some(({ edit }) => edit === refusal.edit),
  }
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
