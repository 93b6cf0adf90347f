import clientPackage from '../../../../clients/typescript/package.json' with { type: 'json' }
import { events, eventTypes, testEvent } from '../../../contract/events.ts'
import { referenceAddress } from '../../../contract/generators/reference-address.ts'
import { allowances, maxWebhooksPerAccount, unprovenDeliveriesForTests } from '../../../contract/limits.ts'
import { keptFor } from '../../../contract/retention/periods.ts'
import { duration, inWords } from '../../../contract/time/time-words.ts'
import type { AttemptErrorCode } from '../../../webhooks/delivery/attempts.ts'
import { circuitPauseMs, timeoutsToOpen } from '../../../webhooks/delivery/endpoint-health.ts'
import {
  attemptDelaysSeconds,
  attemptTimeoutSeconds,
  disabledAfterMs,
  jitterShare,
  longestRetryAfterSeconds,
  maxReplayed,
  maxSigningSecrets,
  secretOverlapMs,
  timestampToleranceSeconds,
} from '../../../webhooks/delivery-policy.ts'
import { exampleWebhookId } from '../../../webhooks/webhook-record.ts'
import { webhookEventExamples } from '../../event-examples.ts'
import type { DocumentSite } from '../document-site.ts'
import { exampleFences } from '../examples/call-fences.ts'
import { EnvironmentVariable } from '../examples/example-call.ts'
import { answerFence, operationNamed } from '../examples/examples.ts'
import { readSnippet, type TextFacts } from '../fill.ts'
import { codeFence, jsonFence, markdownTable } from '../markdown-parts.ts'

/** A delivery with a valid signature, to test verifiers. The key is the bytes 0 to 31. */
export const webhookVector = {
  secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
  id: 'msg_01JEXAMPLE0000000000000000',
  timestamp: '1790000000',
  body: '{"type":"post.published","timestamp":"2026-09-21T14:13:20.000Z","data":{"id":"p_7Hk2","status":"published"}}',
  signature: 'v1,Vk8zJFWm0kjcu02SmVdp0tJaOBKhDp7uWsd/Rw7NIU8=',
} as const

/** `10%` */
export const jitter = `${jitterShare * 100}%`

/** How the service reacts to each response from an endpoint, as table rows. */
export function reactionRows(): string[][] {
  const [within, longest] = [inWords(attemptTimeoutSeconds), inWords(longestRetryAfterSeconds)]
  const firstPause = inWords(circuitPauseMs({ before: 0, now: timeoutsToOpen }) / 1_000)
  const laterPause = inWords(circuitPauseMs({ before: timeoutsToOpen, now: timeoutsToOpen + 1 }) / 1_000)
  return [
    [`Any \`2xx\` within ${within}`, 'The delivery succeeds.'],
    ['`3xx`', 'The attempt fails: we do not follow redirects.'],
    ['Any other response, or a timeout', 'The attempt fails, and we retry as the table below shows.'],
    [
      'A failure with `Retry-After`',
      `We honour values up to ${longest}: the next attempt starts no earlier. We ignore longer values.`,
    ],
    ['`429` or `503` with `Retry-After`', 'The same, for all pending deliveries to this endpoint.'],
    [
      `${timeoutsToOpen} timeouts in a row`,
      `The endpoint is paused for ${firstPause}. Then we try one delivery. If it times out too, we pause for ` +
        `${laterPause} each time. Waiting deliveries keep their remaining attempts, and no delivery is lost.`,
    ],
    ['`410`', 'The endpoint is [disabled](#disabled-endpoints) immediately.'],
    [
      `Only failures for ${inWords(disabledAfterMs / 1_000)}`,
      'The endpoint is [disabled](#disabled-endpoints), and we email the owner.',
    ],
  ]
}

const faults: Record<AttemptErrorCode, string> = {
  bad_url: 'We no longer accept this URL. Register the endpoint again.',
  address_refused: 'The host name resolves to an address that is not public.',
  name_not_resolved: 'The host name was not found.',
  connection_failed: 'We could not connect.',
  tls_failed: 'The certificate is not valid for this host name, or is not publicly trusted.',
  connection_broken: 'The connection closed before the response was complete.',
  timeout: `No response within ${inWords(attemptTimeoutSeconds)}.`,
  malformed_response: 'The response was not valid HTTP.',
}

export const faultRows = (): string[][] => Object.entries(faults).map(([code, meaning]) => [`\`${code}\``, meaning])

export function webhooksFacts(site: DocumentSite): TextFacts {
  return { ...callFacts(site), ...eventFacts(site), ...verifyFacts(), ...deliveryFacts() }
}

const callFacts = (site: DocumentSite): TextFacts => ({
  create: exampleFences(site, 'createWebhook'),
  created: answerFence(site, operationNamed(site, 'createWebhook')),
  max_webhooks: String(maxWebhooksPerAccount),
  test: exampleFences(site, 'testWebhook'),
  deliveries: exampleFences(site, 'listDeliveries'),
  delivery_list: answerFence(site, operationNamed(site, 'listDeliveries')),
  replay: exampleFences(site, 'replayDeliveries'),
  rotate: exampleFences(site, 'rotateWebhookSecret'),
  delete: exampleFences(site, 'deleteWebhook'),
  poll_events: exampleFences(site, 'listEvents', { query: { after: new EnvironmentVariable('LAST_EVENT_ID') } }),
  calls: site.operations
    .filter(({ tag }) => tag === 'Webhooks')
    .map(
      (operation) =>
        `- [${operation.summary}](${referenceAddress(operation)}): \`${operation.method} ${operation.path}\``,
    )
    .join('\n'),
})

const eventFacts = ({ kind, baseUrl }: DocumentSite): TextFacts => ({
  events: markdownTable(
    ['Event', 'When'],
    [...eventTypes.map((type) => [`\`${type}\``, events[type]]), [`\`${testEvent.type}\``, testEvent.description]],
  ),
  event_example: jsonFence(delivered('post.rejected', webhookEventExamples({ kind, baseUrl })['post.rejected'])),
  test_example: jsonFence(delivered(testEvent.type, { endpoint_id: exampleWebhookId })),
})

/** The same as in the event log, but without the id, which is in the header webhook-id. */
const delivered = (type: string, data: object) => ({ type, timestamp: '2026-11-15T12:00:03.000Z', data })

const verifyFacts = (): TextFacts => ({
  tolerance: inWords(timestampToleranceSeconds),
  client: clientPackage.name,
  verify_by_client: codeFence('ts', receiver),
  verify_ts: codeFence('ts', readSnippet('verify.mts')),
  verify_py: codeFence('python', readSnippet('verify.py')),
  verify_go: codeFence('go', readSnippet('verify.go')),
  verify_rb: codeFence('ruby', readSnippet('verify.rb')),
  vector: codeFence('text', vectorLines()),
})

/** The pages test compiles this program and sends deliveries to it. */
const receiver = `import { verifyWebhook, type WebhookEvent } from '${clientPackage.name}'

/** Verifies and stores a delivery. keep() must store each id only once; process the event later. */
export async function receive(
  request: Request,
  secret: string,
  keep: (event: WebhookEvent) => Promise<void>,
): Promise<Response> {
  let event: WebhookEvent
  try {
    event = await verifyWebhook(await request.arrayBuffer(), request.headers, secret)
  } catch {
    return new Response(null, { status: 400 })
  }
  await keep(event)
  return new Response(null, { status: 204 })
}`

const vectorLines = (): string =>
  Object.entries({
    secret: webhookVector.secret,
    'webhook-id': webhookVector.id,
    'webhook-timestamp': webhookVector.timestamp,
    'webhook-signature': webhookVector.signature,
    body: webhookVector.body,
  })
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')

const deliveryFacts = (): TextFacts => ({
  timeout: inWords(attemptTimeoutSeconds),
  reactions: markdownTable(['What happens', 'What we do'], reactionRows()),
  attempts: String(attemptDelaysSeconds.length),
  retries: markdownTable(['Attempt', 'Time after the previous attempt', 'Time after the first attempt'], retryRows()),
  jitter,
  faults: markdownTable(['`error`', 'Meaning'], faultRows()),
  disabled_after: inWords(disabledAfterMs / 1_000),
  kept: keptFor('deliveries'),
  unproven_deliveries: String(allowances['deliveries-to-unproven-endpoints'].max),
  unproven_tests: String(unprovenDeliveriesForTests),
  requested_deliveries: allowances['requested-deliveries-per-account'].max.toLocaleString('en'),
  max_replayed: maxReplayed.toLocaleString('en'),
  overlap: inWords(secretOverlapMs / 1_000),
  max_secrets: String(maxSigningSecrets),
})

function retryRows(): string[][] {
  let total = 0
  return attemptDelaysSeconds.map((seconds, index) => {
    total += seconds
    return index === 0 ? ['1', 'immediately', '–'] : [String(index + 1), duration(seconds), duration(total)]
  })
}
