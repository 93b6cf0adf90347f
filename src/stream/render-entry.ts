import type { Logger } from '../platform/observability/logger.ts'
import { publicPost } from '../posts/public/public-post.ts'
import { postUrl, type Sites, siteOf } from '../posts/sites.ts'
import { writeStreamCursor } from './cursor.ts'
import { type StreamFilter, wantsEntry } from './filter.ts'
import { type LogRow, positionOfRow } from './stream-log.ts'

/** An entry of the log, encoded once for all readers. */
export type StreamEntry = {
  position: number
  postId: string
  isRemoval: boolean
  /** The lines with the id and the type. */
  prefix: Buffer
  /** The line with the post; null if there is nothing to tell. */
  data: Buffer | null
  isFor: (filter: StreamFilter) => boolean
}

export type EntryRenderer = ReturnType<typeof openEntryRenderer>

/** Renders entries with their posts as they are now. A post that cannot be rendered is logged and skipped. */
export function openEntryRenderer(sites: Sites, logger: Logger) {
  function guarded<Result>({ id, position }: LogRow, work: () => Result, otherwise: Result): Result {
    try {
      return work()
    } catch {
      // The message of the error could quote the post.
      logger.error({ post_id: id, position }, 'a post cannot be rendered for the stream')
      return otherwise
    }
  }
  return {
    render: (row: LogRow): StreamEntry => guarded(row, () => renderEntry(sites, row), emptyEntry(row)),
    isFor: (row: LogRow, filter: StreamFilter): boolean =>
      guarded(row, () => wantsEntry(filter, row, siteOf(sites, row.kind).kind), false),
  }
}

/** A post that was taken down since then is skipped here; its removal follows in the log. */
function renderEntry(sites: Sites, row: LogRow): StreamEntry {
  const { type, account_id, author_standing, facets } = row
  const { kind } = siteOf(sites, row.kind)
  const described = { kind: row.kind, type, account_id, author_standing, facets }
  const isTold = type === 'post.removed' || row.status === 'published'
  return {
    ...emptyEntry(row),
    data: isTold ? encodeData(dataOf(sites, row)) : null,
    isFor: (filter) => wantsEntry(filter, described, kind),
  }
}

const emptyEntry = (row: LogRow): StreamEntry => ({
  position: row.position,
  postId: row.id,
  isRemoval: row.type === 'post.removed',
  prefix: encodePrefix(writeStreamCursor(positionOfRow(row)), row.type),
  data: null,
  isFor: () => false,
})

function dataOf(sites: Sites, row: LogRow): object {
  const { kind, baseUrl } = siteOf(sites, row.kind)
  if (row.type !== 'post.removed') return publicPost(kind, baseUrl, row)
  const removedAt = row.withdrawn_at ?? row.numbered_at
  return { id: row.id, kind: row.kind, url: postUrl(baseUrl, row.id), removed_at: removedAt.toISOString() }
}

/** Without data, an entry takes no bytes. */
export const sizeOfEntry = ({ prefix, data }: StreamEntry): number => (data ? prefix.length + data.length : 0)

export const bytesOfEntries = (entries: readonly StreamEntry[]): Buffer =>
  Buffer.concat(entries.flatMap(({ prefix, data }) => (data ? [prefix, data] : [])))

const encodePrefix = (id: string, type: string) => Buffer.from(`id: ${id}\nevent: ${type}\n`)

/** JSON has no line breaks, so the data is one line. */
const encodeData = (data: object) => Buffer.from(`data: ${JSON.stringify(data)}\n\n`)

export const encodeEvent = ({ id, type, data }: { id: string; type: string; data: object }): Buffer =>
  Buffer.concat([encodePrefix(id, type), encodeData(data)])
