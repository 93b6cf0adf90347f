import { sql } from 'kysely'
import { z } from 'zod'
import type { KeyedCall } from '../contract/call.ts'
import { type EventType, eventTypes } from '../contract/events.ts'
import { identifier, timestamp } from '../contract/fields.ts'
import { Problem } from '../contract/problems/problem.ts'
import type { Transaction } from '../platform/database/database.ts'
import { newId, timeOfId } from '../platform/identifiers.ts'
import { reviewRecord } from './review/review-record.ts'
import { announcedRefusal } from './status/status-record.ts'

export type NewEvent = { type: EventType; accountId: string; postId: string | null; data: object; at: Date }

/**
 * Appends to the account's event log. The counter stays locked until the commit, so positions become visible in order.
 */
export async function recordEvent(tx: Transaction, { type, accountId, postId, data, at }: NewEvent): Promise<void> {
  await sql`
    with next as (
      insert into event_positions (account_id, last) values (${accountId}, 1)
      on conflict (account_id) do update set last = event_positions.last + 1
      returning last
    )
    insert into events (id, account_id, position, type, post_id, data, at)
    select ${newId('evt', at)}, ${accountId}, last, ${type}, ${postId}, ${JSON.stringify(data)}::jsonb, ${at} from next`.execute(
    tx,
  )
}

export const eventId = identifier('evt', 'evt_01jcmzq8e5f7r9t2v4x6y8z0ab')

const postFacts = z.strictObject({
  id: z.string(),
  kind: z.string(),
  status: z.string(),
  url: z.url().optional(),
  rejection: announcedRefusal.optional(),
  removal: announcedRefusal.optional(),
  review: reviewRecord.optional().meta({
    description: 'In post.review: the estimate at that time. GET /v1/posts/{id} has the current estimate.',
  }),
  edit: z.literal(true).optional(),
})

const draftFacts = z.strictObject({
  id: z.string(),
  kind: z.string(),
  state: z.string(),
  post_id: z.string().optional().meta({ description: 'In draft.submitted: the post.' }),
  problem: z
    .strictObject({ code: z.string() })
    .optional()
    .meta({ description: 'In draft.failed: why. GET /v1/drafts/{id} has the details.' }),
})

/** The data of events, by what they are about. */
export const eventFacts = { post: postFacts, draft: draftFacts } as const

export const eventList = z
  .strictObject({
    data: z.array(
      z.strictObject({
        id: eventId,
        type: z.enum(eventTypes),
        timestamp,
        data: z
          .strictObject({
            ...postFacts.shape,
            status: postFacts.shape.status.optional().meta({ description: 'The status of a post.' }),
            ...draftFacts.shape,
            state: draftFacts.shape.state.optional().meta({ description: 'The state of a draft.' }),
          })
          .meta({ description: 'Facts only: events contain no text written by users.' }),
      }),
    ),
    next_cursor: eventId
      .nullable()
      .meta({ description: 'Send it as `after` to get the next page; null when there are no later events yet.' }),
  })
  .meta({ component: 'EventList' })

type Query = { after?: string | undefined; limit: number }

/** The caller's events in chronological order: the same log that webhooks deliver. */
export async function listEvents(call: KeyedCall, { after, limit }: Query) {
  const { db, caller } = call
  const rows = await db
    .selectFrom('events')
    .select(['id', 'type', 'at', 'data'])
    .where('account_id', '=', caller.accountId)
    .where('position', '>', after ? await positionOfEvent(call, after) : 0)
    .orderBy('position')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  return {
    data: shown.map(({ id, type, at, data }) => ({ id, type, timestamp: at.toISOString(), data })) as never,
    next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
}

/** The position of one of the caller's events; of an event that no longer exists, a position a little before its time. */
export async function positionOfEvent({ db, caller, clock }: KeyedCall, id: string): Promise<number> {
  const event = await db.selectFrom('events').select(['position', 'account_id']).where('id', '=', id).executeTakeFirst()
  if (event?.account_id === caller.accountId) return event.position
  if (!event && timeOfId(id) <= clock.now()) return positionBefore(db, caller.accountId, timeOfId(id))
  throw new Problem('invalid_query', '`after` is not the id of one of your events.', {
    members: { errors: [{ pointer: '#/after', detail: 'must be the id of one of your events' }] },
  })
}

/** Events are stored shortly after the time in their identifier, in an order that can differ by as much. */
const toleranceMs = 60_000

/**
 * For an event that no longer exists, because the server it was committed on failed before a standby had received it:
 * continues a little before its time. The caller gets some events again rather than none.
 */
async function positionBefore(db: KeyedCall['db'], accountId: string, at: Date): Promise<number> {
  const before = await db
    .selectFrom('events')
    .select('position')
    .where('account_id', '=', accountId)
    .where('at', '<', new Date(at.getTime() - toleranceMs))
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
  return before?.position ?? 0
}

/** The event at this position of the caller's log, or the newest one. */
export async function findEventAt({ db, caller }: KeyedCall, position?: number) {
  return db
    .selectFrom('events')
    .select(['id', 'position'])
    .where('account_id', '=', caller.accountId)
    .$if(position !== undefined, (query) => query.where('position', '=', Number(position)))
    .orderBy('position', 'desc')
    .limit(1)
    .executeTakeFirst()
}
