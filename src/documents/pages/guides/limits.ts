import { inputSchema } from '../../../contract/generators/json-schema.ts'
import {
  addressLimits,
  allowances,
  maxApiKeysPerAccount,
  maxBodyBytes,
  maxWebhooksPerAccount,
  paymentPages,
  platformBurst,
} from '../../../contract/limits.ts'
import { rateLimitFields, rateLimits } from '../../../contract/rate-limits.ts'
import { keptFor, type RetentionName, retentionNames, retentionOf } from '../../../contract/retention/periods.ts'
import { duration, inWords } from '../../../contract/time/time-words.ts'
import { freeSearches, prices } from '../../../ledger/prices.ts'
import { dollars, money } from '../../../markup/money.ts'
import {
  attemptDelaysSeconds,
  attemptTimeoutSeconds,
  maxReplayed,
  secretOverlapMs,
  timestampToleranceSeconds,
} from '../../../webhooks/delivery-policy.ts'
import type { DocumentSite } from '../document-site.ts'
import type { TextFacts } from '../fill.ts'
import { codeFence, markdownTable } from '../markdown-parts.ts'
import { fieldsOf } from '../schema-fields.ts'
import { priceRows } from './posting.ts'

const headings = ['What', 'Limit', 'Counted per', 'When exceeded']

export function limitsFacts(site: DocumentSite): TextFacts {
  const published = rateLimits(site.allowances, site.operations)
  return {
    allowances:
      published.allowances.length === 0
        ? 'This deployment has none.'
        : markdownTable(
            headings,
            published.allowances.map((limit) => row(limit, `${limit.max} per day`)),
          ),
    ceilings: markdownTable(
      headings,
      published.ceilings.map((limit) =>
        row(limit, limit.window_seconds === null ? `${limit.max} at a time` : `${limit.max} per second`),
      ),
    ),
    burst: String(platformBurst),
    address_connections: String(addressLimits.connections),
    address_requests: String(addressLimits.apiRequestsInProgress),
    timed_out_searches: String(allowances['timed-out-searches-per-account'].max),
    search_fields: codeFence('http', searchFields()),
    sizes: markdownTable(['What', 'Limit'], sizeRows(site)),
    webhook_timeout: inWords(attemptTimeoutSeconds),
    webhook_tolerance: inWords(timestampToleranceSeconds),
    retry_window: duration(attemptDelaysSeconds.reduce<number>((sum, seconds) => sum + seconds, 0)),
    old_secret_signs: inWords(secretOverlapMs / 1_000),
    retention: markdownTable(['What', 'How long', 'Why'], retentionRows()),
    prices: markdownTable(
      ['What', 'Price'],
      [
        ...priceRows(site.kind),
        ['a search beyond the free allowance', money(prices.searchMicros)],
        ['top-ups, on the owner page', prices.topUpMicros.map((micros) => dollars(micros)).join(', ')],
      ],
    ),
  }
}

type Shown = { operations: string; counted_per: string; afterwards: string }

const row = ({ operations, counted_per, afterwards }: Shown, amount: string) => [
  asCode(operations),
  amount,
  counted_per,
  afterwards,
]

/** Formats an operation at the start of the text as code. */
const asCode = (operations: string): string =>
  operations.replace(/^(GET|POST|PUT|PATCH|DELETE) [^\s,]+/, (operation) => `\`${operation}\``)

/** The rate-limit headers of an example search with a key. */
function searchFields(): string {
  const fields = rateLimitFields('searches-per-key', { max: freeSearches.withKey, remaining: 57, secondsLeft: 3_907 })
  return `RateLimit-Policy: ${fields['ratelimit-policy']}\nRateLimit: ${fields['ratelimit']}`
}

const sizeRows = ({ kind }: DocumentSite): string[][] => [
  ['a request body', `at most ${maxBodyBytes / 1_024} KiB`],
  ['active API keys per account', `at most ${maxApiKeysPerAccount}`],
  ['webhook endpoints per account', `at most ${maxWebhooksPerAccount}`],
  ['payment pages that an owner opens', `at most ${paymentPages.perHour} per hour and ${paymentPages.perDay} per day`],
  ['deliveries replayed per call', `at most ${maxReplayed.toLocaleString('en')}`],
  ...fieldsOf(inputSchema(kind.body))
    .map(({ path, limits }) => [`\`${path}\``, limits.filter((limit) => /^\d|at most/.test(limit)).join(', ')])
    .filter(([, limit]) => limit !== ''),
]

const retentionRows = (): string[][] =>
  retentionNames
    .map((name) => ({ name, ...retentionOf(name) }))
    .filter(({ isInternal }) => !isInternal)
    .map(({ name, what, from, why }) => [what, periodInWords(name, from), why])

const periodInWords = (name: RetentionName, from: string): string =>
  retentionOf(name).keptSeconds === 0 ? `until ${from}` : `${keptFor(name)} after ${from}`
