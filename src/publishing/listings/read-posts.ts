import type { PublicPost } from '../../kinds/presentation/presentation.ts'
import type { Database } from '../../platform/database/database.ts'
import { publicPost, selectPublished } from '../../posts/public/public-post.ts'
import type { PostView, SiteView } from '../views.ts'

/** The columns of a post with its author's name and its status. */
export const selectPosts = (db: Database) => selectPublished(db).select(['posts.status', 'posts.listed'])

type PostRow = Awaited<ReturnType<ReturnType<typeof selectPosts>['executeTakeFirstOrThrow']>>

/** The data of a post page; undefined if the post was taken down. */
export function postView(site: SiteView, row: PostRow): PostView | undefined {
  if (row.status !== 'published') return undefined
  return { post: shown(site, row), isOver: !row.listed }
}

export const shown = (site: SiteView, row: PostRow): PublicPost => publicPost(site.kind, site.baseUrl, row)
