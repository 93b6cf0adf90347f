/** Names that decisions §16 ("One shape, one word") settles: each is written here once, so that a renaming is one line. */
import { isArray, isOkJson } from './assert.ts'
import type { Json } from './checks.ts'
import type { Reply } from './http.ts'

/** The items of a list. */
export function listOf(reply: Reply): Json[] {
  const { data } = isOkJson(reply)
  isArray(data, `data of ${reply.url}`)
  return data
}
/** The cursor of the next page, null at the end. */
export const nextOf = (page: Json) => page.next_cursor
export const hasNext = (page: Json) => 'next_cursor' in page

/** The events of a webhook that names none. */
export const defaultEvents = ['post.published', 'post.rejected', 'post.removed', 'post.review']

/** The answer to a post that is kept as a draft, and where a draft is in its life. */
export const draftOf = (body: Json) => body.draft ?? body
export const statusOfDraft = (draft: Json) => draft.status ?? draft.state
/** What a key may do. */
export const readOnly = { scopes: ['read'] }
