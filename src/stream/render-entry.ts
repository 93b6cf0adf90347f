import { publicPost } from '../posts/public/public-post.ts'
import { postUrl, type Sites, siteOf } from '../posts/sites.ts'
import { writeStreamCursor } from './cursor.ts'
import { type StreamFilter, wantsEntry } from './filter.ts'
import type { LogRow } from './stream-log.ts'

/** An entry of the log, encoded once for all readers. Without bytes, there is nothing to tell. */
export type StreamEntry = {
  position: number
  postId: string
  isRemoval: boolean
  bytes: Buffer | null
  isFor: (filter: StreamFilter) => boolean
}

/**
 * Encodes the post as it is now. A post that was taken down since then is skipped here; its removal follows in the log.
 */
export function renderEntry(sites: Sites, row: LogRow): StreamEntry {
  const { position, token, numbered_at: at, type, id } = row
  const isRemoval = type === 'post.removed'
  const { kind } = siteOf(sites, row.kind)
  const { account_id, author_standing, facets } = row
  const described = { kind: row.kind, type, account_id, author_standing, facets }
  const data = isRemoval || row.status === 'published' ? dataOf(sites, row) : null
  return {
    ...{ position, postId: id, isRemoval },
    bytes: data && encodeEvent({ id: writeStreamCursor({ position, token, at }), type, data }),
    isFor: (filter) => wantsEntry(filter, described, kind),
  }
}

function dataOf(sites: Sites, row: LogRow): object {
  const { kind, baseUrl } = siteOf(sites, row.kind)
  if (row.type !== 'post.removed') return publicPost(kind, baseUrl, row)
  return { id: row.id, kind: row.kind, url: postUrl(baseUrl, row.id), removed_at: row.numbered_at.toISOString() }
}

/** JSON has no line breaks, so that the data is one line. */
export const encodeEvent = ({ id, type, data }: { id: string; type: string; data: object }): Buffer =>
  Buffer.from(`id: ${id}\nevent: ${type}\ndata: ${JSON.stringify(data)}\n\n`)
