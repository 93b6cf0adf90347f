import { postNotFound, readPublicPost } from '../../posts/public/public-post.ts'
import { postId } from '../../posts/status/status-record.ts'
import type { ReaderRequest } from './route.ts'

/** The public post at this address. Throws if the site has no such post or it was taken down. */
export function readPostOf({ call, site, params }: ReaderRequest) {
  if (!postId.safeParse(params.id).success) throw postNotFound()
  return readPublicPost(call.db, site.kind, site.baseUrl, params.id)
}
