import { type RawBuilder, sql } from 'kysely'
import type { Filter } from '../kinds/index.ts'
import { matchesExactly } from '../kinds/search-filters.ts'
import { withoutPreparedPlan } from '../platform/database/statements/prepared-statements.ts'
import { facetComparison } from '../posts/public/browse-posts.ts'
import { facetTerm } from '../posts/public/search-entries.ts'
import type { SearchPath } from './choose-way.ts'
import { readNewestCursor, readRankedCursor, type Sort } from './cursor.ts'

/** A filter of the kinds, and the value that the caller sent. */
export type AppliedFilter = { filter: Filter; value: string | number }

/** The parameters of a search besides its words. */
export type Criteria = {
  kind?: string | undefined
  filters?: readonly AppliedFilter[]
  since?: string | undefined
  until?: string | undefined
  sort: Sort
  limit: number
  cursor?: string | undefined
}

/** The same with its words as tsqueries by language ('' for none), and the plan to use. */
export type Plan = Criteria & {
  words: Readonly<Record<string, string>>
  /** At least one of each of these must be among the pairs. */
  pairs: readonly (readonly number[])[]
  way: SearchPath
  at: Date
}

/**
 * Relevance ranks only this many of the newest matches: otherwise a word in a tenth of all posts would read each of
 * them. The time grows with the square root of this number and of all posts.
 */
export const weighedPosts = 200

/** The maximum number of matches to read: a page plus one, or the posts to rank. */
export const wantedBy = ({ sort, limit }: Criteria): number => (sort === 'newest' ? limit + 1 : weighedPosts)

/** The weight of a match by its place: in a text, in a message or place name, in a topic, in a title. */
const weights = '{0.25, 0.4, 0.6, 1.0}'
/** Divides by 1 + the logarithm of the length: a word says more about a short text than about a long one. */
const normalization = 1
/** A post from today counts twice as much as a very old one; a post from a month ago counts 1.5 times as much. */
const monthSeconds = 30 * 86_400

export type FoundRow = {
  id: string
  kind: string
  account_id: string
  content: object
  revision: number
  published_at: Date
  edited_at: Date | null
  visible_until: Date | null
  author_name: string
  author_standing: string
  author_domain: string | null
  signature_key_id: string | null
  signed_at: Date | null
  signature: Buffer | null
  language: string | null
  score: number
}

/** One page of matches plus one more post, with all displayed data. */
export function searchStatement(plan: Plan): RawBuilder<FoundRow> {
  return sql<FoundRow>`
    with ${newestMatches(plan)}, ${plan.sort === 'newest' ? inOrder : weighed(plan)}
    select posts.id, posts.kind, posts.account_id, posts.content, posts.revision, posts.published_at, posts.edited_at, posts.visible_until,
      accounts.name as author_name, accounts.standing as author_standing, accounts.verified_domain as author_domain, hits.language, hits.score,
      post_proofs.key_id as signature_key_id, post_proofs.signed_at, post_proofs.signature
    from hits join posts on posts.id = hits.post_id join accounts on accounts.id = posts.account_id
      left join post_proofs on post_proofs.post_id = posts.id
    where posts.listed
    order by ${plan.sort === 'newest' ? sql`hits.published_at` : sql`hits.score`} desc, hits.post_id desc
    ${sql.raw(withoutPreparedPlan)}`
}

/**
 * With the index, collect the matches first and sort afterwards: a limit would make PostgreSQL choose the other plan.
 */
function newestMatches(plan: Plan) {
  const order = sql`order by published_at desc, post_id desc limit ${wantedBy(plan)}`
  const all = sql`select post_id, published_at, language, words from search_entries where ${matches(plan)}`
  return plan.way === 'newest'
    ? sql`candidates as materialized (${all} ${order})`
    : sql`matching as materialized (${all}), candidates as materialized (select * from matching ${order})`
}

const inOrder = sql`hits as materialized (
  select post_id, published_at, language, 0::float8 as score from candidates
)`

function weighed({ words, limit, cursor, at }: Plan) {
  const place = cursor ? readRankedCursor(cursor) : null
  const after = place ? sql`where (score, post_id) < (${place.score}::float8, ${place.id})` : sql``
  const age = sql`greatest(extract(epoch from ${place?.at ?? at}::timestamptz - published_at), 0)::float8`
  // Rank only with the branch of the post's own language; the others would hide how close its words are.
  const byLanguage = sql`${JSON.stringify(words)}::jsonb`
  const own = sql`coalesce(${byLanguage} ->> language, ${byLanguage} ->> '')::tsquery`
  return sql`weighed as materialized (
    select post_id, published_at, language,
      ts_rank_cd(${weights}::float4[], words, ${own}, ${sql.lit(normalization)})::float8
        * (1 + 1 / (1 + ${age} / ${sql.lit(monthSeconds)})) as score
    from candidates
  ), hits as materialized (
    select post_id, published_at, language, score from weighed ${after} order by score desc, post_id desc limit ${limit + 1}
  )`
}

function matches({ words, pairs, since, until, at, ...criteria }: Plan) {
  const facets = facetsOf(criteria)
  return sql.join(
    [
      sql`words @@ ${Object.values(words).join(' | ')}::tsquery`,
      ...pairs.map((any) => sql`pairs && ${any}::int[]`),
      sql`(visible_until is null or visible_until > ${at})`,
      // Every list contains an empty list, so the index would be read from end to end.
      ...(facets.length > 0 ? [sql`facets @> ${facets}::text[]`] : []),
      ...(since ? [sql`published_at >= ${new Date(since)}`] : []),
      ...(until ? [sql`published_at < ${new Date(until)}`] : []),
      ...sizesOf(criteria),
      ...goingOn(criteria),
    ],
    sql` and `,
  )
}

/** With relevance, every page ranks the same posts in the same way: as of the time of the first page. */
function goingOn({ sort, cursor }: Criteria) {
  if (!cursor) return []
  if (sort === 'relevance') return [sql`published_at <= ${readRankedCursor(cursor)?.at}`]
  const place = readNewestCursor(cursor)
  return [sql`(published_at, post_id) < (${place?.publishedAt}, ${place?.id})`]
}

/** The terms that a search entry must have. */
export function facetsOf({ kind, filters = [] }: Criteria): string[] {
  const exact = filters.filter(({ filter }) => matchesExactly(filter))
  return [
    ...(kind === undefined ? [] : [facetTerm('kind', kind)]),
    ...exact.map(({ filter, value }) => facetTerm(filter.facet, value)),
  ]
}

/** The search index has no sizes, so these are read from the posts. */
const sizesOf = ({ filters = [] }: Criteria) =>
  filters
    .filter(({ filter }) => !matchesExactly(filter))
    .map(
      ({ filter, value }) =>
        sql`exists (select from posts where posts.id = post_id and ${facetComparison(filter, value)})`,
    )
