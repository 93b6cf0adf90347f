import type { Call } from '../../contract/call.ts'

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
