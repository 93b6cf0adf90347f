import { events, eventTypes } from '../../contract/events.ts'
import { postUrl } from '../../posts/sites.ts'
import { examplePostId } from '../../posts/status-record.ts'
import {
  webhookRetryDelaysSeconds,
  webhooksPerAccount,
  webhookTimeoutSeconds,
  webhookToleranceSeconds,
} from './coming.ts'
import { curl } from './curl.ts'
import type { DocumentSite } from './document-site.ts'
import { curlFence } from './examples.ts'
import { type Facts, readSnippet } from './fill.ts'
import { codeFence, jsonFence, markdownTable } from './markdown-table.ts'
import { webhookVector } from './webhook-vector.ts'

export function webhooksFacts(site: DocumentSite): Facts {
  const { baseUrl } = site
  const body = { url: 'https://agent.example/hooks/broadside', events: eventTypes }
  return {
    create: codeFence('sh', curl({ method: 'POST', url: `${baseUrl}/v1/webhooks`, hasKey: true, body })),
    max_webhooks: String(webhooksPerAccount),
    events: markdownTable(
      ['Event', 'When'],
      [
        ...eventTypes.map((type) => [`\`${type}\``, events[type]]),
        ['`webhook.test`', 'You asked for it, to try your endpoint.'],
      ],
    ),
    event_example: jsonFence(deliveredExample(site)),
    tolerance_minutes: String(webhookToleranceSeconds / 60),
    timeout_seconds: String(webhookTimeoutSeconds),
    verify_ts: codeFence('ts', readSnippet('verify.mts')),
    verify_py: codeFence('python', readSnippet('verify.py')),
    verify_go: codeFence('go', readSnippet('verify.go')),
    verify_rb: codeFence('ruby', readSnippet('verify.rb')),
    vector: codeFence('text', vectorLines()),
    retries: markdownTable(['Attempt', 'After the one before', 'After the first'], retryRows()),
    poll_events: curlFence(site, 'listEvents'),
  }
}

/** As the log shows it, without the id: that travels as the header webhook-id. */
const deliveredExample = ({ kind, baseUrl }: DocumentSite) => ({
  type: eventTypes[0],
  timestamp: '2026-11-15T12:00:03.000Z',
  data: { id: examplePostId, kind: kind.name, status: 'published', url: postUrl(baseUrl, examplePostId) },
})

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

function retryRows(): string[][] {
  let total = 0
  return webhookRetryDelaysSeconds.map((seconds, index) => {
    total += seconds
    return [String(index + 1), index === 0 ? 'at once' : duration(seconds), index === 0 ? '' : duration(total)]
  })
}

/** `23 h 35 min 5 s` */
export function duration(seconds: number): string {
  const parts = [
    [Math.floor(seconds / 3_600), 'h'],
    [Math.floor((seconds % 3_600) / 60), 'min'],
    [seconds % 60, 's'],
  ] as const
  return parts
    .filter(([amount]) => amount > 0)
    .map(([amount, unit]) => `${amount} ${unit}`)
    .join(' ')
}
