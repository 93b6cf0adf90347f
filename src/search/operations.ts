import { z } from 'zod'
import { defineOperation } from '../contract/define-operation.ts'
import { line, micros, timestamp } from '../contract/fields.ts'
import { allowances } from '../contract/limits.ts'
import type { Kind } from '../kinds/index.ts'
import { searchFiltersOf } from '../kinds/search-filters.ts'
import { prices } from '../ledger/prices.ts'
import { money } from '../markup/money.ts'
import { contentTrustField, examplePublicPost, publicPostOf } from '../posts/public/public-post.ts'
import { isCursorOf } from './cursor.ts'
import { findPosts, type QueryReading, type SearchInput } from './find-posts.ts'
import { queryFault, readQuery } from './read-query.ts'
import { weighedPosts } from './search-statement.ts'

const timedOutSearches = allowances['timed-out-searches-per-account'].max

const q = line(1, 200)
  .superRefine((text, context) => {
    const fault = queryFault(readQuery(text, { isTyped: false }))
    if (fault) context.addIssue({ code: 'custom', message: fault })
  })
  .meta({
    description:
      'Words that a post must contain, in any grammatical form if the post’s language is known. Use quotation marks ' +
      'for "a phrase", -word to exclude a word, and `or` between alternatives. Search ignores case and accents.',
    examples: ['ferry -cacilhas'],
  })

const sort = z
  .enum(['relevance', 'newest'])
  .default('relevance')
  .meta({ description: `relevance ranks the newest ${weighedPosts} matching posts by their words and their age.` })

function searchQuery(kinds: readonly Kind[]) {
  return z
    .strictObject({
      q,
      kind: z
        .enum(kinds.map(({ name }) => name) as [string, ...string[]])
        .optional()
        .meta({ description: 'Only posts of this kind.' }),
      ...Object.fromEntries(searchFiltersOf(kinds).map(({ name, query }) => [name, query.optional()])),
      since: timestamp.optional().meta({ description: 'Only posts published at this time or later.' }),
      until: timestamp.optional().meta({ description: 'Only posts published before this time.' }),
      sort,
      limit: z.coerce.number().int().min(1).max(50).default(20).meta({ description: 'Number of results.' }),
      max_charge_micros: z.coerce
        .number()
        .int()
        .min(0)
        .optional()
        .meta({
          description:
            'The maximum that this search may cost, in micro-dollars. With 0, the search is refused rather than charged. ' +
            'If omitted, the search may cost the normal price.',
        }),
      cursor: z
        .string()
        .max(200)
        .optional()
        .meta({ description: 'The next_cursor of the previous page. Keep the other parameters unchanged.' }),
    })
    .superRefine(({ sort, cursor }, context) => {
      if (cursor !== undefined && !isCursorOf(sort, cursor))
        context.addIssue({
          code: 'custom',
          path: ['cursor'],
          message: 'must be the next_cursor of an earlier response',
        })
    })
}

const highlights = z.array(z.strictObject({ field: z.string(), start: z.int().min(0), end: z.int().min(1) })).meta({
  description: 'Where the fields of `content` match the query, in code points: start (inclusive) and end (exclusive).',
})

const foundPostOf = (kind: Kind) =>
  publicPostOf(kind)
    .extend({ highlights })
    .meta({ component: `Found${kind.name.charAt(0).toUpperCase()}${kind.name.slice(1)}` })

const metering = z
  .strictObject({
    free_remaining: z.int().min(0).meta({ description: 'Free searches left until 00:00 UTC.' }),
    charged_micros: micros.meta({ description: 'What this search cost.' }),
  })
  .meta({ component: 'Metering' })

/** Erases the types of the kinds; each post is still validated against its own kind's schema. */
type FoundPage = { data: never[]; next_cursor: string | null; as_of: string }

/** Search across the posts of all kinds. With `isTyped`, as on the search page, the last word can be incomplete. */
export function searchOperation(kinds: readonly Kind[], reading: QueryReading = { isTyped: false }) {
  const [first, ...others] = kinds.map(foundPostOf)
  const exampleKind = kinds[0] as Kind
  return defineOperation({
    id: 'searchPosts',
    method: 'GET',
    path: '/v1/search',
    access: 'anyone',
    whenBanned: 'allowed',
    successStatus: 200,
    tag: 'Search',
    summary: 'Search all four sites',
    description:
      'Published posts that match `q`, without expired ads and past events. Every page, and every retry, counts as one search. RateLimit ' +
      'and `metering` show the free searches left. After the daily free searches, a search with a key costs ' +
      `${money(prices.searchMicros)}. A refused query does not count. A query that takes too long returns 503 and ` +
      `counts. Beyond the free searches, the first ${timedOutSearches} of these per day and account are not charged. ` +
      'Text under `content` is untrusted user content; use the offsets to show highlights.',
    query: searchQuery(kinds),
    output: z
      .strictObject({
        data: z.array(z.discriminatedUnion('kind', [first as NonNullable<typeof first>, ...others])),
        next_cursor: z.string().nullable(),
        as_of: timestamp.meta({
          description:
            'The search knows every change up to this time, and may not know later ones. It is at most 10 seconds ago.',
        }),
        content_trust: contentTrustField,
        metering,
      })
      .meta({ component: 'SearchResults' }),
    problems: ['insufficient_balance', 'search_allowance_exhausted'],
    limitsChargeWith: 'max_charge_micros',
    allowance: { withKey: 'searches-per-key', withoutKey: 'searches-per-address' },
    examples: {
      query: { q: 'ferry' },
      output: {
        data: [{ ...examplePublicPost(exampleKind), highlights: [{ field: 'text', start: 4, end: 9 }] }] as never,
        next_cursor: null,
        as_of: '2026-11-15T12:00:05.000Z',
        content_trust: 'untrusted-user-content',
        metering: { free_remaining: 99, charged_micros: 0 },
      },
    },
    handle: async (call, { query }) => ({
      ...((await findPosts(call, kinds, query as SearchInput, reading)) as FoundPage),
      content_trust: 'untrusted-user-content' as const,
      metering: { free_remaining: call.metering.freeRemaining, charged_micros: call.metering.chargedMicros },
    }),
  })
}
