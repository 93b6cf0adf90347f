import { sql } from 'kysely'
import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import type { Database } from '../../platform/database/database.ts'
import { publicPost, selectPublished } from '../../posts/public/public-post.ts'
import { firstOfCurrentLog } from '../../transparency-log/log.ts'
import { proofFile } from '../../transparency-log/proof-file.ts'
import type { PostView, SiteView } from '../views.ts'

/** The columns of a post with its author's name and its status. */
export const selectPosts = (db: Database) => selectPublished(db).select(['posts.status', 'posts.listed'])

/** The same, with the decision that published the current text. Only a post's own page shows it. */
export const selectPostPages = (db: Database) =>
  selectPosts(db)
    .leftJoinLateral(
      (query) =>
        query
          .selectFrom('moderation_decisions as made')
          .leftJoin('post_edits', (join) =>
            join.onRef('post_edits.post_id', '=', 'made.post_id').onRef('post_edits.number', '=', 'made.edit'),
          )
          .select(['made.automated', 'made.model', 'made.policy_version', 'made.decided_at as checked_at'])
          .select('post_edits.submitted_at')
          .whereRef('made.post_id', '=', 'posts.id')
          // A restored edit was rejected, and stays unpublished.
          .where(sql<boolean>`(made.outcome = 'publish' or made.outcome = 'restore' and made.edit = 0)`)
          .orderBy('made.id', 'desc')
          .limit(1)
          .as('decision'),
      (join) => join.onTrue(),
    )
    .select(['decision.automated', 'decision.model', 'decision.policy_version', 'decision.checked_at'])
    .select(['decision.submitted_at', 'posts.created_at', 'post_proofs.salt', 'post_proofs.entry_index'])
    .select(sql<boolean | null>`post_proofs.queue_id < ${firstOfCurrentLog}`.as('is_in_closed_log'))

export type PostPageRow = Awaited<ReturnType<ReturnType<typeof selectPostPages>['executeTakeFirstOrThrow']>>
type PostRow = Awaited<ReturnType<ReturnType<typeof selectPosts>['executeTakeFirstOrThrow']>>

/** The data of a post page; undefined if the post was taken down. */
export function postView(site: SiteView, row: PostPageRow): PostView | undefined {
  if (row.status !== 'published') return undefined
  return { post: shown(site, row), isOver: !row.listed, check: checkOf(row) }
}

/** The proof that the post is in the transparency log; null until it is. */
export async function readProof(
  db: Database,
  { salt, entry_index, is_in_closed_log }: Pick<PostPageRow, 'salt' | 'entry_index' | 'is_in_closed_log'>,
) {
  if (salt === null || entry_index === null || is_in_closed_log) return null
  return (await proofFile(db, { index: entry_index, salt })) ?? null
}

function checkOf({ automated, model, policy_version, checked_at, submitted_at, created_at }: PostPageRow) {
  if (policy_version === null || checked_at === null) return undefined
  const by = automated ? (model === null ? 'rules' : 'rules and model') : 'a person'
  const seconds = (checked_at.getTime() - (submitted_at ?? created_at).getTime()) / 1_000
  return { by, seconds, policyVersion: policy_version } as const
}

export const shown = (site: SiteView, row: PostRow): PublicPost => publicPost(site.kind, site.baseUrl, row)
