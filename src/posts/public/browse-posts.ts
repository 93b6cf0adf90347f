import { sql } from 'kysely'
import { z } from 'zod'
import type { Call } from '../../contract/call.ts'
import { OperationAnswer } from '../../contract/define-operation.ts'
import { accountId, timestamp } from '../../contract/fields.ts'
import type { Filter, Kind } from '../../kinds/index.ts'
import { withoutPreparedPlan } from '../../platform/database/statements/prepared-statements.ts'
import { cursor, readCursor, writeCursor } from './cursor.ts'
import { type PublishedPost, publicPost, selectPublished } from './public-post.ts'

/** The query parameters for one kind's list: the common ones and those for the kind's filters. */
export function browseQuery(kind: Kind) {
  const filters = Object.fromEntries(Object.entries(kind.filters).map(([name, { query }]) => [name, query.optional()]))
  return z.strictObject({
    ...filters,
    author: accountId.optional().meta({ description: 'Only posts by this account.' }),
    since: timestamp.optional().meta({ description: 'Only posts published at this time or later.' }),
    until: timestamp.optional().meta({ description: 'Only posts published before this time.' }),
    limit: z.coerce.number().int().min(1).max(100).default(20).meta({ description: 'Number of results.' }),
    cursor: cursor.optional(),
  })
}

export type BrowseQuery = {
  author?: string | undefined
  since?: string | undefined
  until?: string | undefined
  limit: number
  cursor?: string | undefined
} & { [filter: string]: unknown }

/** One page of published posts, newest first, without expired ads and past events. */
export async function browsePosts(call: Call, kind: Kind, query: BrowseQuery) {
  const { db, clock } = call
  const at = clock.now()
  const place = query.cursor ? readCursor(query.cursor) : null
  let select = selectPublished(db)
    // Must match the condition of the index literally: with a parameter, PostgreSQL would not use the index.
    .where(sql<boolean>`posts.listed`)
    .where('posts.kind', '=', kind.name)
    .where((where) => where.or([where('posts.visible_until', 'is', null), where('posts.visible_until', '>', at)]))
    .orderBy('posts.published_at', 'desc')
    .orderBy('posts.id', 'desc')
    .limit(query.limit + 1)
    .modifyEnd(sql.raw(withoutPreparedPlan))
  // Posts of closed accounts show no author, so filtering by that author must not find them either.
  if (query.author)
    select = select.where('posts.account_id', '=', query.author).where('accounts.standing', '<>', 'closed')
  if (query.since) select = select.where('posts.published_at', '>=', new Date(query.since))
  if (query.until) select = select.where('posts.published_at', '<', new Date(query.until))
  if (place) select = select.where(sql<boolean>`(posts.published_at, posts.id) < (${place.publishedAt}, ${place.id})`)
  for (const [name, filter] of Object.entries(kind.filters))
    if (query[name] !== undefined) select = select.where(facetComparison(filter, query[name]))
  return page(call, kind, await select.execute(), query.limit)
}

/** Filters that the kind defines. The facets index supports containment. */
export function facetComparison({ facet, compare }: Filter, value: unknown) {
  // Must match the range indexes literally. The name comes from the kind, never from a caller.
  const number = sql`posts.facets ? ${sql.lit(facet)} and (posts.facets->>${sql.lit(facet)})::numeric`
  if (compare === 'at_least') return sql<boolean>`(${number} >= ${value})`
  if (compare === 'at_most') return sql<boolean>`(${number} <= ${value})`
  const wanted = { [facet]: compare === 'contains' ? [value] : value }
  return sql<boolean>`posts.facets @> ${JSON.stringify(wanted)}::jsonb`
}

function page({ baseUrl, query }: Call, kind: Kind, rows: readonly PublishedPost[], limit: number) {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const next = last ? writeCursor({ publishedAt: last.published_at as Date, id: last.id }) : null
  const body = {
    data: shown.map((row) => publicPost(kind, baseUrl, row)),
    next_cursor: next,
    content_trust: 'untrusted-user-content' as const,
  }
  return next
    ? new OperationAnswer(body, { headers: { link: linkToNext(baseUrl, query, next) } })
    : new OperationAnswer(body)
}

function linkToNext(baseUrl: string, query: Record<string, string>, next: string): string {
  return `<${baseUrl}/v1/posts?${new URLSearchParams({ ...query, cursor: next })}>; rel="next"`
}
