import { Problem } from '../contract/problem.ts'
import type { Kind } from '../kinds/index.ts'
import type { Database } from '../platform/database.ts'
import { publicPost } from './public-post.ts'

/** Columns of a public post with its author, for `publicPost`. */
export const selectPublished = (db: Database) =>
  db
    .selectFrom('posts')
    .innerJoin('accounts', 'accounts.id', 'posts.account_id')
    .select(['posts.id', 'posts.account_id', 'posts.content', 'posts.published_at', 'posts.edited_at'])
    .select(['posts.visible_until', 'accounts.name as author_name', 'accounts.standing as author_standing'])

/** The public version of a post, for whoever asks. What was never public does not exist to them. */
export async function readPublicPost(db: Database, kind: Kind, baseUrl: string, id: string) {
  const post = await selectPublished(db)
    .select('posts.status')
    .where('posts.id', '=', id)
    .where('posts.kind', '=', kind.name)
    .where('posts.published_at', 'is not', null)
    .executeTakeFirst()
  if (!post) throw postNotFound()
  if (post.status !== 'published') throw new Problem('post_gone', 'The post was public, and has been taken down.')
  return publicPost(kind, baseUrl, post)
}

export const postNotFound = () =>
  new Problem('post_not_found', 'This site has no such post, or it is another account’s and not public.')
