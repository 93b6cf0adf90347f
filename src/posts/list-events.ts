import { z } from 'zod'
import { eventTypes } from '../contract/events.ts'
import { identifier, timestamp } from '../contract/fields.ts'
import { Problem } from '../contract/problem.ts'
import type { KeyedCall } from '../platform/call.ts'
import { reviewRecord } from './review/review-record.ts'
import { toldRefusal } from './status-record.ts'

export const eventId = identifier('evt', 'evt_01jcmzq8e5f7r9t2v4x6y8z0ab')

export const eventList = z
  .strictObject({
    data: z.array(
      z.strictObject({
        id: eventId,
        type: z.enum(eventTypes),
        timestamp,
        data: z
          .strictObject({
            id: z.string(),
            kind: z.string(),
            status: z.string(),
            url: z.url().optional(),
            rejection: toldRefusal.optional(),
            removal: toldRefusal.optional(),
            review: reviewRecord.optional().meta({
              description: 'In post.review: as it was estimated then. GET /v1/posts/{id} has the present estimate.',
            }),
            edit: z.literal(true).optional(),
          })
          .meta({ description: 'Facts only: no text that a user wrote travels in an event.' }),
      }),
    ),
    next_cursor: eventId.nullable().meta({ description: 'Send it as `after`; null when nothing follows yet.' }),
  })
  .meta({ component: 'EventList' })

type Query = { after?: string | undefined; limit: number }

/** The caller's own events in the order in which they happened: the same log that webhooks push. */
export async function listEvents({ db, caller }: KeyedCall, { after, limit }: Query) {
  const rows = await db
    .selectFrom('events')
    .select(['id', 'type', 'at', 'data'])
    .where('account_id', '=', caller.accountId)
    .where('position', '>', after ? await positionOf(db, caller.accountId, after) : 0)
    .orderBy('position')
    .limit(limit + 1)
    .execute()
  const shown = rows.slice(0, limit)
  return {
    data: shown.map(({ id, type, at, data }) => ({ id, type, timestamp: at.toISOString(), data })) as never,
    next_cursor: rows.length > limit ? (shown.at(-1)?.id ?? null) : null,
  }
}

async function positionOf(db: KeyedCall['db'], accountId: string, id: string): Promise<number> {
  const event = await db
    .selectFrom('events')
    .select('position')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (event) return event.position
  throw new Problem('invalid_query', 'The event to go on after is not one of yours.', {
    members: { errors: [{ pointer: '#/after', detail: 'must be the id of one of your events' }] },
  })
}
