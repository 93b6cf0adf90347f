import { z } from 'zod'
import { type EventType, events, eventTypes, testEvent } from '../events.ts'
import { identifier, timestamp } from '../fields.ts'
import { outputSchema, withReferences } from './json-schema.ts'

export type EventSite = { title: string; baseUrl: string }

/** The delivery rules that the document describes. */
type DeliveryRules = {
  /** The delay before each attempt, counted from the previous one. */
  attemptDelaysSeconds: readonly number[]
  attemptTimeoutSeconds: number
  jitterShare: number
  longestRetryAfterSeconds: number
  timestampToleranceSeconds: number
}

export type EventContract = {
  /** The event as the event log returns it. Deliveries send its id in the `webhook-id` header. */
  event: z.ZodObject<{ id: z.ZodType }>
  /** The data of events, by what they are about. */
  facts: Record<'post' | 'draft', z.ZodType>
  /** An example of `data` for each event. */
  examples: Record<EventType, object>
  delivery: DeliveryRules
}

/** The AsyncAPI document for one site: the events that we send to subscribers. A pure function of its arguments. */
export function asyncApiDocument(
  site: EventSite,
  { event, facts, examples, delivery }: EventContract,
  version: string,
) {
  const data = {
    post: facts.post.meta({ component: 'PostEvent' }),
    draft: facts.draft.meta({ component: 'DraftEvent' }),
  }
  const ownMessages = eventTypes.map((type) => message(type, events[type], data[subjectOf(type)], examples[type]))
  const messages = Object.fromEntries(
    [...ownMessages, testMessage].map((described) => [memberName(described.name), described]),
  )
  const names = Object.keys(messages)
  const channel = '#/channels/subscriberEndpoint'
  return {
    asyncapi: '3.1.0',
    info: {
      title: `${site.title} webhooks`,
      version,
      description: introduction(site),
      contact: { name: 'Broadside', url: `${site.baseUrl}/about/` },
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      tags: [{ name: 'webhooks' }],
      externalDocs: {
        description: 'Documentation, with code that verifies deliveries',
        url: `${site.baseUrl}/docs/webhooks/`,
      },
    },
    defaultContentType: 'application/json',
    channels: {
      subscriberEndpoint: {
        address: null,
        title: 'Your endpoint',
        description:
          'The public https URL that you register. It differs for each subscriber, so this document gives no address.',
        messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    operations: {
      deliverEvent: {
        action: 'send',
        channel: { $ref: channel },
        title: 'Deliver an event',
        summary: 'We send an event; your endpoint responds with any 2xx.',
        description: howDelivered(delivery),
        messages: names.map((name) => ({ $ref: `${channel}/messages/${name}` })),
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
    },
    components: {
      messages,
      schemas: {
        DeliveryHeaders: deliveryHeaders(event.shape.id, delivery),
        PostEvent: outputSchema(facts.post),
        DraftEvent: outputSchema(facts.draft),
      },
    },
  }
}

const introduction = ({ baseUrl }: EventSite) =>
  `Events about your posts and drafts, as we send them to your endpoint. Deliveries follow Standard Webhooks: each one is signed, can
arrive more than once, and is identified by \`webhook-id\`. Events contain no text written by users.
POST ${baseUrl}/v1/webhooks registers an endpoint.
If you prefer to poll, GET ${baseUrl}/v1/events returns the same events, except ${testEvent.type}.`

/** One sentence per line: the YAML writer would fold longer lines. */
function howDelivered(rules: DeliveryRules): string {
  const { attemptDelaysSeconds, attemptTimeoutSeconds, jitterShare, longestRetryAfterSeconds } = rules
  const [, ...waits] = attemptDelaysSeconds
  return `Respond with a 2xx status within ${attemptTimeoutSeconds} seconds. Anything else is a failure. We do not follow redirects.
We make ${attemptDelaysSeconds.length} attempts: the first immediately, the rest after these delays in seconds:
${waits.join(', ')}.
Each delay varies by up to ${jitterShare * 100}% in either direction.
A \`Retry-After\` header of up to ${longestRetryAfterSeconds} seconds extends the delay;
with 429 or 503, it pauses all deliveries to the endpoint. 410 disables the endpoint.
You can replay failed deliveries. We do not guarantee the order of deliveries.`
}

const subjectOf = (type: EventType): 'post' | 'draft' => (type.startsWith('draft.') ? 'draft' : 'post')

/** `post.published` → `postPublished` */
const memberName = (type: string) => type.replaceAll(/\.(\w)/g, (_, letter: string) => letter.toUpperCase())

const exampleTime = '2026-11-15T12:00:03.000Z'

const exampleHeaders = {
  'webhook-id': 'evt_01jcmzq8e5f7r9t2v4x6y8z0ab',
  'webhook-timestamp': String(Date.parse(exampleTime) / 1_000),
  'webhook-signature': 'v1,EXAMPLEexampleEXAMPLEexampleEXAMPLEexample0=',
}

function message(type: string, summary: string, data: z.ZodType, example: object) {
  return {
    name: type,
    title: type,
    summary,
    contentType: 'application/json',
    headers: { $ref: '#/components/schemas/DeliveryHeaders' },
    payload: withReferences(outputSchema(z.strictObject({ type: z.literal(type), timestamp, data }))),
    examples: [
      {
        name: memberName(type),
        summary,
        headers: exampleHeaders,
        payload: { type, timestamp: exampleTime, data: example },
      },
    ],
  }
}

const exampleEndpoint = 'wh_01jcmzq8e5f7r9t2v4x6y8z0ab'
const testMessage = message(
  testEvent.type,
  testEvent.description,
  z.strictObject({ endpoint_id: identifier('wh', exampleEndpoint) }),
  { endpoint_id: exampleEndpoint },
)

const deliveryHeaders = (id: z.ZodType, { timestampToleranceSeconds }: DeliveryRules) => ({
  type: 'object',
  required: ['webhook-id', 'webhook-timestamp', 'webhook-signature'],
  properties: {
    'webhook-id': {
      ...outputSchema(id),
      description: 'Identifies the event. It is the same on every attempt, so use it to detect repeats.',
    },
    'webhook-timestamp': {
      type: 'string',
      pattern: '^\\d+$',
      description: `Unix time of this attempt, in seconds. Reject the delivery if it differs from your clock by more than ${timestampToleranceSeconds / 60} minutes.`,
    },
    'webhook-signature': {
      type: 'string',
      pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
      description:
        'One signature per active secret, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over ' +
        '`{webhook-id}.{webhook-timestamp}.` and the raw body. The HMAC key is the base64-decoded part of your secret ' +
        'after `whsec_`. Accept the delivery if any signature matches.',
    },
  },
})
