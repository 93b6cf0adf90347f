import clientPackage from '../../../client/package.json' with { type: 'json' }
import { events, eventTypes, testEvent } from '../../contract/events.ts'
import { maxWebhooksPerAccount } from '../../contract/limits.ts'
import {
  attemptDelaysSeconds,
  attemptTimeoutSeconds,
  disabledAfterMs,
  keptMs,
  maxReplayed,
  maxSigningSecrets,
  secretOverlapMs,
  timestampToleranceSeconds,
} from '../../webhooks/rules.ts'
import { exampleWebhookId } from '../../webhooks/webhook-record.ts'
import { eventExamples } from '../event-examples.ts'
import { curl } from './curl.ts'
import type { DocumentSite } from './document-site.ts'
import { answerFence, curlFence, operationNamed } from './examples.ts'
import { type Facts, readSnippet } from './fill.ts'
import { codeFence, jsonFence, markdownTable } from './markdown-table.ts'
import { duration, inWords } from './time-words.ts'
import { faultRows, jitter, reactionRows } from './webhook-reactions.ts'
import { webhookVector } from './webhook-vector.ts'

export function webhooksFacts(site: DocumentSite): Facts {
  return { ...callFacts(site), ...eventFacts(site), ...verifyFacts(), ...deliveryFacts() }
}

const callFacts = (site: DocumentSite): Facts => ({
  create: curlFence(site, 'createWebhook'),
  created: answerFence(site, operationNamed(site, 'createWebhook')),
  max_webhooks: String(maxWebhooksPerAccount),
  test: curlFence(site, 'testWebhook'),
  deliveries: curlFence(site, 'listDeliveries'),
  delivery_list: answerFence(site, operationNamed(site, 'listDeliveries')),
  replay: curlFence(site, 'replayDeliveries'),
  rotate: curlFence(site, 'rotateWebhookSecret'),
  delete: curlFence(site, 'deleteWebhook'),
  poll_events: codeFence(
    'sh',
    curl({ method: 'GET', url: `${site.baseUrl}/v1/events?after=$LAST_EVENT_ID`, hasKey: true }),
  ),
  calls: site.operations
    .filter(({ tag }) => tag === 'Webhooks')
    .map(({ id, method, path, summary }) => `- [${summary}](/docs/reference/#${id}): \`${method} ${path}\``)
    .join('\n'),
})

const eventFacts = ({ kind, baseUrl }: DocumentSite): Facts => ({
  events: markdownTable(
    ['Event', 'When'],
    [...eventTypes.map((type) => [`\`${type}\``, events[type]]), [`\`${testEvent.type}\``, testEvent.description]],
  ),
  event_example: jsonFence(delivered('post.rejected', eventExamples({ kind, baseUrl })['post.rejected'])),
  test_example: jsonFence(delivered(testEvent.type, { endpoint_id: exampleWebhookId })),
})

/** As the log shows it, without the id: that travels as the header webhook-id. */
const delivered = (type: string, data: object) => ({ type, timestamp: '2026-11-15T12:00:03.000Z', data })

const verifyFacts = (): Facts => ({
  tolerance: inWords(timestampToleranceSeconds),
  client: clientPackage.name,
  verify_by_client: codeFence('ts', receiver),
  verify_ts: codeFence('ts', readSnippet('verify.mts')),
  verify_py: codeFence('python', readSnippet('verify.py')),
  verify_go: codeFence('go', readSnippet('verify.go')),
  verify_rb: codeFence('ruby', readSnippet('verify.rb')),
  vector: codeFence('text', vectorLines()),
})

/** A program that compiles and receives: the test of these pages sees to it. */
const receiver = `import { verifyWebhook, type WebhookEvent } from '${clientPackage.name}'

/** Answers a delivery. keep() stores the event under its id, unless it is there already; the work comes later. */
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

const deliveryFacts = (): Facts => ({
  timeout: inWords(attemptTimeoutSeconds),
  reactions: markdownTable(['What happens', 'What we do'], reactionRows()),
  attempts: String(attemptDelaysSeconds.length),
  retries: markdownTable(['Attempt', 'After the one before', 'After the first'], retryRows()),
  jitter,
  faults: markdownTable(['`error`', 'What it means'], faultRows()),
  disabled_after: inWords(disabledAfterMs / 1_000),
  kept: inWords(keptMs / 1_000),
  max_replayed: maxReplayed.toLocaleString('en'),
  overlap: inWords(secretOverlapMs / 1_000),
  max_secrets: String(maxSigningSecrets),
})

function retryRows(): string[][] {
  let total = 0
  return attemptDelaysSeconds.map((seconds, index) => {
    total += seconds
    return index === 0 ? ['1', 'at once', '–'] : [String(index + 1), duration(seconds), duration(total)]
  })
}
