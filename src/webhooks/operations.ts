import { z } from 'zod'
import { defineOperation } from '../contract/define-operation.ts'
import { eventTypes } from '../contract/events.ts'
import { nothing, timestamp } from '../contract/fields.ts'
import { maxWebhooksPerAccount } from '../contract/limits.ts'
import { keptFor } from '../contract/retention/periods.ts'
import { inWords } from '../contract/time/time-words.ts'
import { listDeliveries } from './deliveries.ts'
import { maxReplayed, secretOverlapMs } from './delivery-policy.ts'
import { createWebhook, deleteWebhook, rotateSecret, testWebhook } from './manage-webhooks.ts'
import { replay, replayBody } from './replay.ts'
import {
  deliveryRecord,
  exampleEventId,
  exampleUrl,
  exampleWebhook,
  exampleWebhookId,
  readWebhooks,
  webhookEventId,
  webhookEvents,
  webhookId,
  webhookRecord,
  webhookUrl,
} from './webhook-record.ts'

const shared = { access: 'key', tag: 'Webhooks' } as const
const params = z.object({ id: webhookId })
const exampleParams = { id: exampleWebhookId }
const exampleSecret = 'whsec_EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0='
const secret = z.string().meta({
  description: 'The secret that signs the deliveries. Shown only once; it cannot be retrieved later.',
  examples: [exampleSecret],
})

const create = defineOperation({
  ...shared,
  id: 'createWebhook',
  scopes: ['webhooks'],
  method: 'POST',
  path: '/v1/webhooks',
  whenBanned: 'refused',
  successStatus: 201,
  summary: 'Register an endpoint',
  description:
    'The endpoint receives the outcomes of your posts on all four sites, signed as Standard Webhooks specifies. ' +
    `The URL must be public and use HTTPS on port 443. An account can have up to ${maxWebhooksPerAccount} endpoints. Store the secret: it is shown only once. ` +
    'Then send a test event: until the endpoint has answered one with 2xx, it gets only a few deliveries per day.',
  body: z.strictObject({
    url: webhookUrl,
    events: webhookEvents
      .min(1)
      .max(eventTypes.length)
      .default(eventTypes.filter((type) => type.startsWith('post.')))
      .meta({
        description: 'Event types to receive; by default the outcomes of posts. webhook.test needs no subscription.',
      }),
  }),
  output: z
    .strictObject({ id: webhookId, url: webhookUrl, events: webhookEvents, secret, created_at: timestamp })
    .meta({ component: 'NewWebhook' }),
  problems: ['too_many_webhooks'],
  examples: {
    body: { url: exampleUrl, events: ['post.published', 'post.rejected'] },
    output: {
      id: exampleWebhookId,
      url: exampleUrl,
      events: ['post.published', 'post.rejected'],
      secret: exampleSecret,
      created_at: '2026-11-15T12:00:00.000Z',
    },
  },
  handle: (call, { body }) => createWebhook(call, body),
})

const list = defineOperation({
  ...shared,
  id: 'listWebhooks',
  method: 'GET',
  path: '/v1/webhooks',
  whenBanned: 'allowed',
  successStatus: 200,
  summary: 'List your endpoints',
  description: 'With the events that each receives, and whether it is enabled and proven. Secrets are never listed.',
  output: z.strictObject({ data: z.array(webhookRecord), next_cursor: z.null() }).meta({ component: 'WebhookList' }),
  problems: [],
  examples: { output: { data: [exampleWebhook], next_cursor: null } },
  handle: async ({ db, caller }) => ({ data: await readWebhooks(db, caller.accountId), next_cursor: null }),
})

const remove = defineOperation({
  ...shared,
  id: 'deleteWebhook',
  scopes: ['webhooks'],
  method: 'DELETE',
  path: '/v1/webhooks/{id}',
  whenBanned: 'allowed',
  successStatus: 204,
  summary: 'Delete an endpoint',
  description: 'Deletes the endpoint permanently. No delivery or retry starts after the response.',
  params,
  output: nothing,
  problems: ['webhook_not_found'],
  examples: { params: exampleParams, output: undefined },
  handle: async (call, input) => {
    await deleteWebhook(call, input.params.id)
    return undefined
  },
})

const tryOut = defineOperation({
  ...shared,
  id: 'testWebhook',
  scopes: ['webhooks'],
  method: 'POST',
  path: '/v1/webhooks/{id}/test',
  whenBanned: 'allowed',
  successStatus: 202,
  summary: 'Send a test event',
  description:
    'Queues a signed webhook.test event, free of charge. If the endpoint responds with 2xx, it is proven: the daily limit ' +
    'for unproven endpoints no longer applies. A disabled endpoint is enabled again. ' +
    'Tests and replays share one daily limit.',
  params,
  output: z.strictObject({ event_id: webhookEventId }).meta({ component: 'QueuedTest' }),
  problems: ['webhook_not_found', 'rate_limited'],
  allowance: 'requested-deliveries-per-account',
  examples: { params: exampleParams, output: { event_id: exampleEventId } },
  handle: async (call, input) => ({ event_id: await testWebhook(call, input.params.id) }),
})

const rotate = defineOperation({
  ...shared,
  id: 'rotateWebhookSecret',
  scopes: ['webhooks'],
  method: 'POST',
  path: '/v1/webhooks/{id}/rotate',
  whenBanned: 'allowed',
  successStatus: 200,
  summary: 'Replace the secret',
  description:
    `Returns a new secret, shown only once. For ${inWords(secretOverlapMs / 1_000)} each delivery is signed with both the new and the ` +
    'old secret, so that you can switch without losing a delivery.',
  params,
  output: z
    .strictObject({ id: webhookId, secret, previous_secrets_sign_until: timestamp })
    .meta({ component: 'RotatedSecret' }),
  problems: ['webhook_not_found'],
  examples: {
    params: exampleParams,
    output: {
      id: exampleWebhookId,
      secret: exampleSecret,
      previous_secrets_sign_until: '2026-11-16T12:00:00.000Z',
    },
  },
  handle: (call, input) => rotateSecret(call, input.params.id),
})

const deliveries = defineOperation({
  ...shared,
  id: 'listDeliveries',
  method: 'GET',
  path: '/v1/webhooks/{id}/deliveries',
  whenBanned: 'allowed',
  successStatus: 200,
  summary: 'List deliveries',
  description: `Deliveries of the last ${keptFor('deliveries')} with their attempts, newest event first.`,
  params,
  query: z.strictObject({
    status: z
      .enum(['pending', 'delivered', 'failed', 'held'])
      .optional()
      .meta({ description: 'Only deliveries with this status.' }),
    cursor: webhookEventId.optional().meta({ description: 'The next_cursor of the previous page.' }),
    limit: z.coerce.number().int().min(1).max(100).default(20).meta({ description: 'Number of results.' }),
  }),
  output: z
    .strictObject({ data: z.array(deliveryRecord), next_cursor: webhookEventId.nullable() })
    .meta({ component: 'DeliveryList' }),
  problems: ['webhook_not_found'],
  examples: {
    params: exampleParams,
    output: {
      data: [
        {
          event_id: exampleEventId,
          type: 'post.published',
          status: 'pending',
          created_at: '2026-11-15T12:00:03.000Z',
          next_attempt_at: '2026-11-15T12:05:09.000Z',
          attempts: [
            { at: '2026-11-15T12:00:03.210Z', status_code: 503, duration_ms: 84, error: null },
            { at: '2026-11-15T12:00:08.402Z', status_code: null, duration_ms: 15_000, error: 'timeout' },
          ],
        },
      ],
      next_cursor: null,
    },
  },
  handle: (call, input) => listDeliveries(call, input.params.id, input.query),
})

const sendAgain = defineOperation({
  ...shared,
  id: 'replayDeliveries',
  scopes: ['webhooks'],
  method: 'POST',
  path: '/v1/webhooks/{id}/replay',
  whenBanned: 'allowed',
  successStatus: 202,
  summary: 'Replay events',
  description:
    'Sends one event again, or all events in a time range that were sent to this endpoint or held while it was ' +
    `disabled or unproven. Up to ${maxReplayed.toLocaleString('en')} events per call; to continue, pass next_since as since. Events already in the queue are not queued again. ` +
    'Each replayed delivery counts towards the daily limit that replays and tests share; an empty replay counts as one.',
  params,
  body: replayBody,
  output: z.strictObject({ queued: z.int().min(0), next_since: timestamp.nullable() }).meta({ component: 'Replay' }),
  problems: ['webhook_not_found', 'rate_limited'],
  allowance: 'requested-deliveries-per-account',
  examples: {
    params: exampleParams,
    body: { since: '2026-11-15T00:00:00.000Z', until: '2026-11-16T00:00:00.000Z' },
    output: { queued: 12, next_since: null },
  },
  handle: (call, input) => replay(call, input.params.id, input.body),
})

/** All sites have the same operations, because endpoints belong to the account. */
export const webhookOperations = [create, list, remove, tryOut, rotate, deliveries, sendAgain]
