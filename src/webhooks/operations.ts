import { z } from 'zod'
import { defineOperation } from '../contract/define-operation.ts'
import { eventTypes } from '../contract/events.ts'
import { nothing, timestamp } from '../contract/fields.ts'
import { maxWebhooksPerAccount } from '../contract/limits.ts'
import { listDeliveries } from './deliveries.ts'
import { maxReplayed } from './delivery-policy.ts'
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
  description: 'Signs the deliveries. Shown once; it cannot be retrieved later.',
  examples: [exampleSecret],
})

const create = defineOperation({
  ...shared,
  id: 'createWebhook',
  method: 'POST',
  path: '/v1/webhooks',
  whenBanned: 'refused',
  successStatus: 201,
  summary: 'Register an endpoint',
  description:
    'Outcomes of your posts on all four sites are sent there, signed as Standard Webhooks says. The address must be ' +
    `public https on port 443. An account has up to ${maxWebhooksPerAccount}. Keep the secret: it is shown once.`,
  body: z.strictObject({
    url: webhookUrl,
    events: webhookEvents
      .min(1)
      .max(eventTypes.length)
      .default([...eventTypes])
      .meta({
        description: 'Which events it receives; all when left out. webhook.test needs no subscription.',
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
  description: 'With the events that each receives, and whether it is enabled. Secrets are never listed.',
  output: z.strictObject({ data: z.array(webhookRecord), next_cursor: z.null() }).meta({ component: 'WebhookList' }),
  problems: [],
  examples: { output: { data: [exampleWebhook], next_cursor: null } },
  handle: async ({ db, caller }) => ({ data: await readWebhooks(db, caller.accountId), next_cursor: null }),
})

const remove = defineOperation({
  ...shared,
  id: 'deleteWebhook',
  method: 'DELETE',
  path: '/v1/webhooks/{id}',
  whenBanned: 'allowed',
  successStatus: 204,
  summary: 'Delete an endpoint',
  description: 'For good, and at once: when this is answered no delivery begins any more, retries included.',
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
  method: 'POST',
  path: '/v1/webhooks/{id}/test',
  whenBanned: 'allowed',
  successStatus: 202,
  summary: 'Send a test event',
  description:
    'Queues a signed webhook.test. Free. An endpoint that is disabled and answers it with 2xx is enabled again.',
  params,
  output: z.strictObject({ event_id: webhookEventId }).meta({ component: 'QueuedTest' }),
  problems: ['webhook_not_found', 'rate_limited'],
  allowance: 'webhook-tests-per-account',
  examples: { params: exampleParams, output: { event_id: exampleEventId } },
  handle: async (call, input) => ({ event_id: await testWebhook(call, input.params.id) }),
})

const rotate = defineOperation({
  ...shared,
  id: 'rotateWebhookSecret',
  method: 'POST',
  path: '/v1/webhooks/{id}/rotate',
  whenBanned: 'allowed',
  successStatus: 200,
  summary: 'Replace the secret',
  description:
    'Answers with a new secret, shown once. For 24 hours each delivery carries a signature with the new and with the ' +
    'old secret, so that you can change over without losing one.',
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
  description: 'Those of the last 30 days with their attempts, newest event first.',
  params,
  query: z.strictObject({
    status: z.enum(['pending', 'delivered', 'failed', 'held']).optional().meta({ description: 'Only these.' }),
    cursor: webhookEventId.optional().meta({ description: 'The next_cursor of the page before.' }),
    limit: z.coerce.number().int().min(1).max(100).default(20).meta({ description: 'How many, 1 to 100.' }),
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
  method: 'POST',
  path: '/v1/webhooks/{id}/replay',
  whenBanned: 'allowed',
  successStatus: 202,
  safeToRepeat: true,
  summary: 'Send events again',
  description:
    'One event, or all that this endpoint was sent, or would have been sent had it not been disabled, in a range of ' +
    `time. Up to ${maxReplayed.toLocaleString('en')} at a time: next_since says where to go on. What waits already is not queued twice.`,
  params,
  body: replayBody,
  output: z.strictObject({ queued: z.int().min(0), next_since: timestamp.nullable() }).meta({ component: 'Replay' }),
  problems: ['webhook_not_found'],
  examples: {
    params: exampleParams,
    body: { since: '2026-11-15T00:00:00.000Z', until: '2026-11-16T00:00:00.000Z' },
    output: { queued: 12, next_since: null },
  },
  handle: (call, input) => replay(call, input.params.id, input.body),
})

/** The same on every site: endpoints belong to the account. */
export const webhookOperations = [create, list, remove, tryOut, rotate, deliveries, sendAgain]
