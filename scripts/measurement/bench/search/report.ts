import type pg from 'pg'
import type { BenchQuery, Statement } from './queries.ts'

export type Times = {
  name: string
  bare: number[]
  metered: number[]
  http: number[]
  /** HTTP responses that reported a timeout. */
  givenUp: number
  slowest: { milliseconds: number; query: BenchQuery }
}

/** The bars of every class. */
const bars = { bareP95Ms: 60, httpToBare: 1.5 }

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

/** Prints the figures of a class for programs, as soon as they are known. */
export function printClass(posts: number, times: Times): void {
  console.log(JSON.stringify({ bench: 'search', posts, ...rounded(rowOf(times)) }))
}

/** Prints the table for people. */
export function printTable(posts: number, results: readonly Times[]): void {
  const rows = results.map(rowOf)
  console.log(
    `\n${posts.toLocaleString('en')} posts; p50 and p95 of each side in milliseconds; bars: bare p95 below ${bars.bareP95Ms}, HTTP p95 at most ${bars.httpToBare} times bare\n`,
  )
  const head = [
    'class',
    'n',
    'bare p50',
    'bare p95',
    'metered p50',
    'metered p95',
    'HTTP p50',
    'HTTP p95',
    'HTTP/bare',
    'HTTP/metered',
    '',
  ]
  console.log(`| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}`)
  for (const row of rows) {
    const figures = [...row.bare, ...row.metered, ...row.http].map((value) => value.toFixed(1))
    const ratios = [row.httpToBare, row.httpToMetered].map((value) => value.toFixed(2))
    console.log(`| ${[row.name, row.count, ...figures, ...ratios, row.verdict].join(' | ')} |`)
  }
  const failed = rows.filter(({ verdict }) => verdict !== 'pass').length
  if (failed > 0) process.exitCode = 1
  console.log(failed === 0 ? '\nAll classes pass.' : `\n${failed} of ${rows.length} classes miss a bar.`)
}

function rowOf({ name, bare, metered, http, givenUp }: Times) {
  const both = (values: readonly number[]) => [percentile(values, 0.5), percentile(values, 0.95)] as const
  const [bareTimes, meteredTimes, httpTimes] = [both(bare), both(metered), both(http)]
  const [httpToBare, httpToMetered] = [httpTimes[1] / bareTimes[1], httpTimes[1] / meteredTimes[1]]
  const misses = [
    ...(bareTimes[1] >= bars.bareP95Ms ? ['bare too slow'] : []),
    ...(httpToBare > bars.httpToBare ? ['HTTP overhead too high'] : []),
    ...(givenUp > 0 ? [`${givenUp} timed out`] : []),
  ]
  const verdict = misses.length === 0 ? 'pass' : misses.join(', ')
  return {
    name,
    count: bare.length,
    bare: bareTimes,
    metered: meteredTimes,
    http: httpTimes,
    httpToBare,
    httpToMetered,
    verdict,
  }
}

const rounded = (row: object): object =>
  JSON.parse(JSON.stringify(row, (_, value) => (typeof value === 'number' ? Math.round(value * 100) / 100 : value)))

export async function printSizes(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string; megabytes: number }>(
    `select 'search_entries, its rows' as name, pg_table_size('search_entries') / 1048576.0::float8 as megabytes
     union all select indexrelid::regclass::text, pg_relation_size(indexrelid) / 1048576.0::float8
       from pg_index where indrelid = 'search_entries'::regclass
     union all select 'posts, its rows', pg_table_size('posts') / 1048576.0::float8`,
  )
  console.log('\n| what | MB |\n|---|---|')
  for (const { name, megabytes } of rows) console.log(`| ${name} | ${megabytes.toFixed(0)} |`)
}

/** PostgreSQL's plan for the slowest query of each class. */
export async function explainSlowest(
  client: pg.Client,
  results: readonly Times[],
  statementOf: (query: BenchQuery) => Promise<Statement>,
): Promise<void> {
  for (const { name, slowest } of results) {
    const { text, values } = await statementOf(slowest.query)
    const { rows } = await client.query<Record<'QUERY PLAN', string>>(`explain (analyze, buffers) ${text}`, values)
    console.log(`\n## ${name}: ${JSON.stringify(slowest.query)} took ${slowest.milliseconds.toFixed(1)} ms`)
    for (const row of rows) console.log(row['QUERY PLAN'])
  }
}
