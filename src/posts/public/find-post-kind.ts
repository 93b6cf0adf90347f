import type { Call } from '../../contract/call.ts'
import { Problem } from '../../contract/problems/problem.ts'

/**
 * The kind of a post that the caller may know about: one that is or was public, or the account's own. Undefined for every
 * other id, so that nobody learns which posts wait for a decision.
 */
export async function findPostKind({ db, caller }: Pick<Call, 'db' | 'caller'>, id: string) {
  const post = await db
    .selectFrom('posts')
    .select(['kind', 'account_id', 'published_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  return post && (post.published_at || post.account_id === caller?.accountId) ? post.kind : undefined
}

/** Runs the work. If it finds no such post here and the post is on another site, the problem says which. */
export async function withOtherSite<Result>(call: Call, id: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'post_not_found') throw error
    const kind = await findPostKind(call, id)
    const site_url = kind && call.baseUrls[kind]
    if (!kind || kind === call.site || !site_url) throw error
    const detail = 'This post is on another site. Send the same request to the site in `site_url`.'
    throw new Problem('post_not_found', detail, { members: { kind, site_url } })
  }
}
