import { onceFor } from '../../../../src/calls/idempotency.ts'
import type { KeyedCall } from '../../../../src/contract/call.ts'
import { kinds } from '../../../../src/kinds/index.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import { connect } from '../../../../src/platform/database/database.ts'
import { newId } from '../../../../src/platform/identifiers.ts'
import { createLogger } from '../../../../src/platform/observability/logger.ts'
import { primaryReader } from '../../../../src/platform/replica.ts'
import { submitPost } from '../../../../src/posts/submit/submit-post.ts'
import type { OwnDatabase } from '../../../../tooling/services/databases.ts'

type Statement = { text: string; values: readonly unknown[] }

/**
 * Creates a pgbench script with exactly the statements of one submission: they are recorded while the code submits a
 * post, and only the values that differ between posts are replaced.
 */
export async function bareSubmission(database: OwnDatabase, accounts: readonly string[]): Promise<string> {
  const statements = await recordSubmission(database, String(accounts[0]))
  const arrays = new Map<string, string>()
  const body = statements.map((statement) => `${filledIn(statement, arrays)};`)
  return [
    `\\set a random(1, ${accounts.length})`,
    '\\set r random(1, 2000000000)',
    ...[...arrays.values()].flatMap(settingsOf),
    ...body,
  ].join('\n')
}

async function recordSubmission({ urls }: OwnDatabase, accountId: string): Promise<Statement[]> {
  await using connection = connect(urls.api, { poolMax: 1, applicationName: 'bench record' })
  const statements: Statement[] = []
  connection.pool.on('connect', (client) => {
    const plain = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((text: unknown, values?: unknown, ...rest: unknown[]) => {
      if (typeof text === 'string') statements.push({ text, values: Array.isArray(values) ? values : [] })
      return plain(text, values, ...rest)
    }) as typeof client.query
  })
  const [kind] = kinds
  if (!kind) throw new Error('no kind')
  const body = kind.body.parse({ text: messageText('recorded'), topics: ['bench', 'tides'] })
  const call: KeyedCall = {
    requestId: 'bench',
    db: connection.db,
    sideDb: connection.db,
    searchReader: primaryReader(connection.db, systemClock),
    clock: systemClock,
    logger: createLogger('silent', 'bench'),
    site: kind.name,
    baseUrl: 'http://localhost',
    baseUrls: {},
    path: '/v1/posts',
    query: {},
    accountPageUrl: 'http://localhost',
    address: '127.0.0.1',
    caller: { accountId, keyId: newId('key', systemClock.now()), autoRecharges: false, needsApproval: false },
    owner: null,
    idempotencyKey: 'bench-recorded-key',
    remember: async () => {},
    obeysTestWords: false,
    metering: { freeRemaining: 0, chargedMicros: 0 },
    takeMoreUses: async (_tx, wanted) => wanted,
    // A submission encrypts nothing and calls no service.
    sealing: undefined as never,
    outbound: undefined as never,
  }
  const once = onceFor(call, body)
  const moderation = {
    state: 'running' as const,
    estimated_decision_at: '2026-11-15T12:00:00.000Z',
    retry_after_seconds: 5,
  }
  await submitPost({ ...call, ...(once && { remember: once.remember }) }, { kind, body, dryRun: false, moderation })
  return statements
}

// Based on the time, like our own ids, so that indexes grow in the same way.
const time = `lpad(to_hex((extract(epoch from clock_timestamp()) * 1000000)::bigint), 13, '0')`
const unique = `${time} || lpad(to_hex((:client_id)::integer), 4, '0') || lpad(to_hex((:r)::integer), 8, '0')`
const accountExpression = `('acct_0' || lpad((:a)::text, 25, '0'))`

/** The statement with an expression in place of each parameter. */
function filledIn({ text, values }: Statement, arrays: Map<string, string>): string {
  const oneLine = text.replaceAll(/\s+/g, ' ').trim()
  return oneLine.replaceAll(/\$(\d+)/g, (_, number) => expressionFor(values[Number(number) - 1], arrays))
}

function expressionFor(value: unknown, arrays: Map<string, string>): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'number') return String(value)
  if (value instanceof Date) return `${quoted(value.toISOString())}::timestamptz`
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'::bytea`
  if (Array.isArray(value)) return arrayFor(value, arrays)
  const word = String(value)
  if (/^post_/.test(word)) return `('post_0' || ${perTransaction})`
  if (/^txn_/.test(word)) return `('txn_0' || ${unique})`
  if (/^acct_/.test(word)) return accountExpression
  if (word === 'bench-recorded-key') return `('bench' || ${unique})`
  return quoted(word)
}

/** Written without a colon, because pgbench would read the following text as a variable, even inside quotes. */
function quoted(word: string): string {
  return `E'${word.replaceAll('\\', '\\\\').replaceAll("'", "''").replaceAll(':', '\\x3a')}'`
}

/** The same time in every statement of a transaction: `now()` is its start. */
const perTransaction = unique.replace('clock_timestamp()', 'now()')

function arrayFor(value: readonly unknown[], arrays: Map<string, string>): string {
  if (value.length === 0) return `'{}'`
  const key = JSON.stringify(value)
  const name = arrays.get(key) ?? `v${arrays.size}x${value.length}x`
  arrays.set(key, name)
  return `array[${value.map((_, index) => `:${name}${index}`).join(',')}]::integer[]`
}

function settingsOf(name: string): string[] {
  const length = Number(/x(\d+)x$/.exec(name)?.[1])
  return Array.from({ length }, (_, index) => `\\set ${name}${index} random(-2147483648, 2147483647)`)
}

const words =
  'anchor basin cargo delta estuary ferry gannet harbour inlet jetty keel lagoon mooring narrows oar pier quay reef sail tide'.split(
    ' ',
  )

/** About thirty words in an order that no other post has. */
export function messageText(unique: string): string {
  const some = Array.from({ length: 28 }, () => words[Math.floor(Math.random() * words.length)])
  return `${unique}: ${some.join(' ')}.`
}
