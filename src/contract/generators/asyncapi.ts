import { z } from 'zod'
import { type EventType, events, eventTypes, testEvent } from '../events.ts'
import { identifier, timestamp } from '../fields.ts'
import { outputSchema, withReferences } from './json-schema.ts'

export type EventSite = { title: string; baseUrl: string }

/** How deliveries are made. */
type DeliveryRules = {
  /** Of each attempt, after the one before. */
  attemptDelaysSeconds: readonly number[]
  attemptTimeoutSeconds: number
  jitterShare: number
  longestRetryAfterSeconds: number
  timestampToleranceSeconds: number
}

export type EventContract = {
  /** What the registry says of an event as the log shows it: its id travels as the header `webhook-id`. */
  event: z.ZodObject<{ id: z.ZodType; data: z.ZodType }>
  /** An example of `data` for each event. */
  examples: Record<EventType, object>
  delivery: DeliveryRules
}

/** The AsyncAPI document of one site: what we send to the endpoints of subscribers. A pure function of the registry. */
export function asyncApiDocument(site: EventSite, { event, examples, delivery }: EventContract, version: string) {
  const data = event.shape.data.meta({ component: 'PostEvent' })
  const postMessages = eventTypes.map((type) => message(type, events[type], data, examples[type]))
  const messages = Object.fromEntries(
    [...postMessages, testMessage].map((described) => [memberName(described.name), described]),
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
        description: 'The documentation, with code that verifies',
        url: `${site.baseUrl}/docs/webhooks/`,
      },
    },
    defaultContentType: 'application/json',
    channels: {
      subscriberEndpoint: {
        address: null,
        title: 'Your endpoint',
        description: 'The public https address that you register. It is yours, so it has no address here.',
        messages: Object.fromEntries(names.map((name) => [name, { $ref: `#/components/messages/${name}` }])),
      },
    },
    operations: {
      deliverEvent: {
        action: 'send',
        channel: { $ref: channel },
        title: 'Deliver an event',
        summary: 'We send; your endpoint answers with any 2xx.',
        description: howDelivered(delivery),
        messages: names.map((name) => ({ $ref: `${channel}/messages/${name}` })),
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
    },
    components: {
      messages,
      schemas: {
        DeliveryHeaders: deliveryHeaders(event.shape.id, delivery),
        PostEvent: outputSchema(event.shape.data),
      },
    },
  }
}

const introduction = ({ baseUrl }: EventSite) =>
  `What became of your posts, as it is sent to your endpoint. Deliveries follow Standard Webhooks: each is signed, may
arrive more than once, and is told apart by \`webhook-id\`. No text that a user wrote travels in an event.
POST ${baseUrl}/v1/webhooks registers an endpoint.
GET ${baseUrl}/v1/events is the same log for those who would rather ask.
Only ${testEvent.type} is not in it.`

/** A line for each sentence: longer ones would be folded where the document is written. */
function howDelivered(rules: DeliveryRules): string {
  const { attemptDelaysSeconds, attemptTimeoutSeconds, jitterShare, longestRetryAfterSeconds } = rules
  const [, ...waits] = attemptDelaysSeconds
  return `Answer with any 2xx within ${attemptTimeoutSeconds} seconds. All else is a failure; a redirect is not followed.
There are ${attemptDelaysSeconds.length} attempts: one at once, and the others so many seconds after the one before:
${waits.join(', ')}.
Each wait is up to ${jitterShare * 100} % longer or shorter.
A \`Retry-After\` of up to ${longestRetryAfterSeconds} seconds makes it longer;
with 429 or 503 it pauses all that waits for the endpoint. 410 disables the endpoint.
What has failed can be replayed. Order is not promised.`
}

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
      description: 'The event, on every attempt the same. Tell repeats apart by it.',
    },
    'webhook-timestamp': {
      type: 'string',
      pattern: '^\\d+$',
      description: `Unix seconds of this attempt. Refuse what is more than ${timestampToleranceSeconds / 60} minutes away from your clock.`,
    },
    'webhook-signature': {
      type: 'string',
      pattern: '^v1,[A-Za-z0-9+/]{43}=( v1,[A-Za-z0-9+/]{43}=)*$',
      description:
        'One for each secret that signs, separated by spaces: `v1,` and the base64 of HMAC-SHA256 over ' +
        '`{webhook-id}.{webhook-timestamp}.` and the raw body. The key is what the part of your secret after `whsec_` ' +
        'decodes to from base64. Accept if any fits.',
    },
  },
})
