import { z } from 'zod'
import { eventTypes, testEvent } from '../contract/events.ts'
import { identifier, timestamp } from '../contract/fields.ts'
import { allowances } from '../contract/limits.ts'
import { Problem } from '../contract/problems/problem.ts'
import type { Database } from '../platform/database/database.ts'
import { attemptErrorCodes } from './delivery/attempts.ts'
import { disabledAfterDays } from './delivery-policy.ts'

export const exampleWebhookId = 'wh_01jcmzq8e5f7r9t2v4x6y8z0ab'
export const exampleEventId = 'evt_01jcmzq8e5f7r9t2v4x6y8z0ab'
export const exampleUrl = 'https://agent.example/hooks/broadside'

export const webhookId = identifier('wh', exampleWebhookId)
export const webhookEventId = identifier('evt', exampleEventId)

export const webhookUrl = z
  .string()
  .max(2_048)
  .meta({ description: 'Public HTTPS URL on port 443.', examples: [exampleUrl] })

const unprovenDeliveries = allowances['deliveries-to-unproven-endpoints'].max

export const webhookEvents = z.array(z.enum(eventTypes))

export const webhookRecord = z
  .strictObject({
    id: webhookId,
    url: webhookUrl,
    events: webhookEvents,
    created_at: timestamp,
    status: z.enum(['enabled', 'disabled']),
    disabled: z
      .strictObject({
        at: timestamp,
        because: z.enum(['gone', 'failing']).meta({
          description: `gone: the endpoint responded with 410. failing: no delivery has succeeded for ${disabledAfterDays} days.`,
        }),
      })
      .nullable()
      .meta({
        description:
          'Null if the endpoint is enabled. While it is disabled, its events are kept. A successful test or replay enables it again.',
      }),
    failing_since: timestamp
      .nullable()
      .meta({ description: 'The time of the first failure since the last success; null if there is none.' }),
    proven_at: timestamp.nullable().meta({
      description:
        'When the endpoint first answered a test event with 2xx; null if it never did. Until then, all such endpoints ' +
        `of the account together get ${unprovenDeliveries} deliveries per UTC day; further events are held.`,
    }),
  })
  .meta({ component: 'Webhook' })

export const exampleWebhook = {
  id: exampleWebhookId,
  url: exampleUrl,
  events: [...eventTypes],
  created_at: '2026-11-15T12:00:00.000Z',
  status: 'enabled' as const,
  disabled: null,
  failing_since: null,
  proven_at: '2026-11-15T12:00:04.000Z',
}

export const deliveryRecord = z
  .strictObject({
    event_id: webhookEventId,
    type: z.enum([...eventTypes, testEvent.type]),
    status: z.enum(['pending', 'delivered', 'failed', 'held']).meta({
      description:
        'failed: no attempts are left. held: the endpoint was disabled, or it was not proven and the daily limit was ' +
        'reached. Both can be replayed.',
    }),
    created_at: timestamp.meta({ description: 'The time of the event.' }),
    next_attempt_at: timestamp.nullable(),
    attempts: z.array(
      z.strictObject({
        at: timestamp,
        status_code: z.int().nullable().meta({ description: 'HTTP status of the response; null if there was none.' }),
        duration_ms: z.int(),
        error: z.enum(attemptErrorCodes).nullable(),
      }),
    ),
  })
  .meta({ component: 'Delivery' })

const columns = [
  'id',
  'url',
  'events',
  'created_at',
  'disabled_at',
  'disabled_because',
  'failing_since',
  'proven_at',
] as const

type Row = {
  id: string
  url: string
  events: string[]
  created_at: Date
  disabled_at: Date | null
  disabled_because: 'gone' | 'failing' | null
  failing_since: Date | null
  proven_at: Date | null
}

/** The endpoints of an account, oldest first. */
export async function readWebhooks(db: Database, accountId: string): Promise<z.output<typeof webhookRecord>[]> {
  const rows = await db
    .selectFrom('webhooks')
    .select(columns)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute()
  return rows.map(toRecord)
}

function toRecord({ disabled_at, disabled_because, failing_since, proven_at, created_at, ...row }: Row) {
  return {
    ...row,
    events: row.events as z.output<typeof webhookEvents>,
    created_at: created_at.toISOString(),
    status: disabled_at ? ('disabled' as const) : ('enabled' as const),
    disabled: disabled_at && disabled_because ? { at: disabled_at.toISOString(), because: disabled_because } : null,
    failing_since: failing_since?.toISOString() ?? null,
    proven_at: proven_at?.toISOString() ?? null,
  }
}

/** An endpoint of another account gets the same error as one that does not exist. */
export async function assertOwnWebhook(db: Database, accountId: string, id: string): Promise<void> {
  const found = await db
    .selectFrom('webhooks')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!found) throw webhookNotFound()
}

export const webhookNotFound = () =>
  new Problem('webhook_not_found', 'You have no endpoint with this id; GET /v1/webhooks lists yours.')
