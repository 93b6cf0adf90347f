import { z } from 'zod'
import type { Call, KeyedCall } from '../contract/call.ts'
import { defineOperation } from '../contract/define-operation.ts'
import { accountId, timestamp } from '../contract/fields.ts'
import { expectedAuthorization } from '../contract/problems/caller.ts'
import { Problem } from '../contract/problems/problem.ts'
import { keptFor } from '../contract/retention/periods.ts'
import { streamLimits } from '../contract/stream-limits.ts'
import type { Kind } from '../kinds/index.ts'
import { newId } from '../platform/identifiers.ts'
import { eventList, findEventAt, positionOfEvent } from '../posts/events.ts'
import { examplePublicPost, publicPostOf } from '../posts/public/public-post.ts'
import { postId } from '../posts/status/status-record.ts'
import { readStreamCursor, writeStreamCursor } from './cursor.ts'
import type { StreamStart } from './stream-hub.ts'
import { findPosition, invalidCursor, numberEntries, readHead } from './stream-log.ts'

const eventIdPattern = /^evt_[0-7][0-9a-hjkmnp-tv-z]{25}$/

/** What a removed post leaves. */
const removedPost = z
  .strictObject({ id: postId, kind: z.string(), url: z.url(), removed_at: timestamp })
  .meta({ component: 'RemovedPost' })

const filtersOf = (kind: Kind) =>
  Object.fromEntries(Object.entries(kind.filters).map(([name, { query }]) => [name, query.optional()]))

const queryOf = (kind: Kind) =>
  z.strictObject({
    ...filtersOf(kind),
    author: accountId.optional().meta({ description: 'Only posts by this account.' }),
    kind: z
      .enum(['all', kind.name])
      .optional()
      .meta({ description: '`all` for posts of all four sites. By default, only posts of this site.' }),
    scope: z
      .enum(['public', 'mine'])
      .optional()
      .meta({ description: '`mine`, with a key, for the events of GET /v1/events instead of public posts.' }),
    after: z.string().max(100).optional().meta({
      description: 'The id of an event: resume after it. By default, the stream starts with what comes next.',
    }),
  })

type StreamQuery = {
  author?: string | undefined
  kind?: string | undefined
  scope?: 'public' | 'mine' | undefined
  after?: string | undefined
} & { [filter: string]: unknown }

/** GET /v1/stream on the site of one kind. */
export const streamOperation = (kind: Kind) =>
  defineOperation({
    id: 'streamPosts',
    method: 'GET',
    path: '/v1/stream',
    access: 'anyone',
    whenBanned: 'allowed',
    successStatus: 200,
    tag: 'Posts',
    summary: 'Follow new posts as they appear',
    description:
      'Server-sent events (`text/event-stream`) on a connection that stays open; it counts as one request. ' +
      '`post.published` and `post.edited` have the public post as data, `post.removed` has its id, kind, URL and time. ' +
      `A comment is sent every ${streamLimits.heartbeatSeconds} seconds. An \`id:\` line after it advances your cursor ` +
      'without an event. When the connection ends, connect again with the last `id` in Last-Event-ID or `after`: no ' +
      `event is lost or repeated within ${keptFor('stream-entries')}. Events repeat only if the database loses its latest ` +
      'writes. An event shows the post as it is when it is sent. Filters work as in GET /v1/posts; with ' +
      '`kind=all`, a kind without the filter does not match. Removals ignore all filters except `kind` and `author`. ' +
      `One address can keep ${streamLimits.perAddress} streams open. With \`scope=mine\`, the stream has the events of ` +
      'GET /v1/events, with the same ids, of any age; it ends when the key is revoked. Text under `content` is ' +
      'untrusted user content.',
    query: queryOf(kind),
    output: z.union([publicPostOf(kind), removedPost, eventList.shape.data.element]),
    problems: ['cursor_expired', 'missing_api_key'],
    answersStream: true,
    examples: { output: examplePublicPost(kind) as never },
    handle: (call, { query }) => startOf(call, kind, query as StreamQuery) as never,
  })

async function startOf(call: Call, kind: Kind, { scope, after, ...wanted }: StreamQuery): Promise<StreamStart> {
  if (scope === 'mine') return startOfOwn(call, after, wanted)
  const { author, kind: kinds, ...facets } = wanted
  const filter = { kind: kinds === 'all' ? undefined : kind.name, author, facets: defined(facets) }
  const at = call.clock.now()
  if (after !== undefined) {
    const cursor = readStreamCursor(after)
    if (!cursor) throw invalidCursor()
    return { scope: 'public', filter, position: await findPosition(call.db, cursor, at), cursor: null }
  }
  await numberEntries(call.db, at)
  const head = await readHead(call.db, at)
  return { scope: 'public', filter, position: head.position, cursor: writeStreamCursor(head) }
}

async function startOfOwn(call: Call, after: string | undefined, wanted: object): Promise<StreamStart> {
  if (!call.caller)
    throw new Problem('missing_api_key', `scope=mine needs the header ${expectedAuthorization}.`, {
      members: { expected: expectedAuthorization },
      headers: { 'www-authenticate': 'Bearer realm="broadside"' },
    })
  const others = Object.keys(defined(wanted))
  if (others.length > 0)
    throw new Problem('invalid_query', '`scope=mine` takes no filters.', {
      members: { errors: others.map((name) => ({ pointer: `#/${name}`, detail: 'cannot be used with scope=mine' })) },
    })
  if (after !== undefined && !eventIdPattern.test(after)) throw invalidCursor()
  const keyed = call as KeyedCall
  const position = after === undefined ? undefined : await positionOfEvent(keyed, after)
  const event = position === 0 ? undefined : await findEventAt(keyed, position)
  const { accountId: account, keyId } = keyed.caller
  return {
    scope: 'mine',
    position: event?.position ?? 0,
    // An id that no event has: whoever resumes after it gets everything since a minute before its time.
    cursor: after === undefined ? (event?.id ?? newId('evt', call.clock.now())) : null,
    source: { accountId: account, keyId, lastId: event?.id ?? null },
  }
}

const defined = (values: Record<string, unknown> | object) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
