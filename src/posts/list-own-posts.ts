import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { PostStatus } from '../../generated/database-types.ts'
import type { KeyedCall } from '../contract/call.ts'
import { defineOperation } from '../contract/define-operation.ts'
import { timestamp } from '../contract/fields.ts'
import type { Kind } from '../kinds/index.ts'
import { firstIdAt } from '../platform/identifiers.ts'
import { contentTrustField } from './public/public-post.ts'
import { postStatuses } from './status/lifecycle.ts'
import type { EstimateQueued } from './status/moderation-estimate.ts'
import type { OwnPost } from './status/read-histories.ts'
import { readStatuses } from './status/read-post-status.ts'
import { exampleStatus, postId, statusRecord } from './status/status-record.ts'

const ownPost = z
  .strictObject({
    ...statusRecord.shape,
    content_trust: contentTrustField,
    content: z
      .strictObject({ headline: z.string().meta({ description: 'The title, or the beginning of the text.' }) })
      .nullable()
      .meta({ description: 'Null once the post is deleted.' }),
  })
  .meta({ component: 'OwnPost' })

/** The list of the account's posts of all kinds, the same on every site. */
export function ownPostsOperation(kinds: readonly Kind[], estimate: EstimateQueued) {
  const names = kinds.map(({ name }) => name)
  const [first] = kinds
  return defineOperation({
    id: 'listMyPosts',
    method: 'GET',
    path: '/v1/account/posts',
    access: 'key',
    whenBanned: 'allowed',
    successStatus: 200,
    tag: 'Posts',
    summary: 'List your posts',
    description:
      'Your posts on all four sites in every status, newest first: status records, each with its headline. Free. The ' +
      'cursor stays valid while you submit posts. Text under `content` is untrusted user content.',
    query: z.strictObject({
      status: z.enum(postStatuses).optional().meta({ description: 'Only posts in this status.' }),
      kind: z.enum(names).optional().meta({ description: 'Only posts of this kind.' }),
      since: timestamp.optional().meta({ description: 'Only posts submitted at this time or later.' }),
      until: timestamp.optional().meta({ description: 'Only posts submitted before this time.' }),
      limit: z.coerce.number().int().min(1).max(100).default(20).meta({ description: 'Number of results.' }),
      cursor: postId.optional().meta({
        description: 'The next_cursor from the previous page. Keep the other parameters unchanged.',
      }),
    }),
    output: z
      .strictObject({ data: z.array(ownPost), next_cursor: postId.nullable(), content_trust: contentTrustField })
      .meta({ component: 'OwnPostList' }),
    problems: [],
    examples: {
      output: {
        data: first ? [exampleOwnPost(first)] : [],
        next_cursor: null,
        content_trust: 'untrusted-user-content',
      },
    },
    handle: (call, { query }) => listOwnPosts(call, kinds, query, estimate),
  })
}

const exampleOwnPost = (kind: Kind) => ({
  ...exampleStatus(kind.name, kind.priceMicros),
  content_trust: 'untrusted-user-content' as const,
  content: { headline: kind.presentation.headline(kind.examples[0]) },
})

type Query = {
  status?: PostStatus | undefined
  kind?: string | undefined
  since?: string | undefined
  until?: string | undefined
  limit: number
  cursor?: string | undefined
}

/** One page of the account's posts, in a fixed number of statements however many posts it has. */
async function listOwnPosts(call: KeyedCall, kinds: readonly Kind[], query: Query, estimate: EstimateQueued) {
  const rows = await selectPage(call, kinds, query)
  const shown = rows.slice(0, query.limit)
  const records = await readStatuses(call.db, shown, {
    baseUrlOf: (kind) => String(call.baseUrls[kind]),
    estimates: (places) => estimate(call, call.caller.accountId, places),
    at: call.clock.now(),
  })
  const kindOf = (name: string) => kinds.find((kind) => kind.name === name)
  return {
    data: records.map((record, index) => {
      const { kind, content } = shown[index] as Row
      const headline = content && kindOf(kind)?.presentation.headline(content)
      return {
        ...record,
        content_trust: 'untrusted-user-content' as const,
        content: headline ? { headline } : null,
      }
    }),
    next_cursor: rows.length > query.limit ? (shown.at(-1)?.id ?? null) : null,
    content_trust: 'untrusted-user-content' as const,
  }
}

type Row = OwnPost & { content: object | null }

/** Identifiers sort by the time of submission, so they are the order, the bounds and the cursor. */
async function selectPage({ db, caller }: KeyedCall, kinds: readonly Kind[], query: Query): Promise<Row[]> {
  const { status, kind, since, until, limit, cursor } = query
  const page = (and: RawBuilder<unknown>) => sql`
    select id, kind, status, content, created_at, decided_at from posts
    where account_id = ${caller.accountId} ${and}
      ${since ? sql`and id >= ${firstIdAt('post', new Date(since))}` : sql``}
      ${until ? sql`and id < ${firstIdAt('post', new Date(until))}` : sql``}
      ${cursor ? sql`and id < ${cursor}` : sql``}
    order by id desc limit ${limit + 1}`
  if (!status && !kind) return (await sql<Row>`${page(sql``)}`.execute(db)).rows
  // One range of the index for each kind and status: a filter that few of the account's posts pass stays fast.
  const { rows } = await sql<Row>`
    select found.* from unnest(${kind ? [kind] : kinds.map(({ name }) => name)}::text[]) as wanted(kind)
    cross join unnest(${status ? [status] : postStatuses}::post_status[]) as also(status)
    cross join lateral (${page(sql`and kind = wanted.kind and status = also.status`)}) found
    order by found.id desc limit ${limit + 1}`.execute(db)
  return rows
}
