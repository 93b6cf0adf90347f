import type { Bar } from './bars.ts'
import { round, type ScaleResult, type SizeResult } from './results.ts'

type Row = [what: string, value: (size: SizeResult) => number | undefined]

/** Prints one table with a column for each size, and the bars below it. */
export function printResults({ sizes }: ScaleResult, bars: readonly Bar[]): void {
  const head = ['measured', ...sizes.map(({ posts }) => posts.toLocaleString('en'))]
  console.log(`\n| ${head.join(' | ')} |\n|${'---|'.repeat(head.length)}`)
  for (const [what, value] of rowsOf(sizes)) {
    const figures = sizes.map((size) => value(size)?.toLocaleString('en', { maximumFractionDigits: 1 }) ?? '–')
    console.log(`| ${[what, ...figures].join(' | ')} |`)
  }
  console.log('\n| bar | seen | wanted | |\n|---|---|---|---|')
  for (const { what, seen, bar, passes } of bars)
    console.log(`| ${what} | ${round(seen)} | ${bar} | ${passes ? 'pass' : 'miss'} |`)
  if (bars.some(({ passes }) => !passes)) process.exitCode = 1
}

function rowsOf(sizes: readonly SizeResult[]): Row[] {
  const names = <Value>(of: (size: SizeResult) => Record<string, Value> | undefined) => [
    ...new Set(sizes.flatMap((size) => Object.keys(of(size) ?? {}))),
  ]
  const tables = [...new Set(sizes.flatMap(({ tables: all = [] }) => all.slice(0, 12).map(({ table }) => table)))]
  const bytes = (size: SizeResult, table: string) => size.tables?.find((one) => one.table === table)
  return [
    ['submissions per second', ({ submit }) => submit?.perSecond],
    ['submission, p99 at 100 per second, ms', ({ submit }) => submit?.p99],
    ['decision to page, p95, ms', ({ publish }) => publish?.page.p95],
    ['work per publication, ms', ({ publish }) => publish?.msPerPublication],
    ['files per publication', ({ publish }) => publish?.filesPerPublication],
    ...names(({ browse }) => browse).map(
      (name): Row => [`list: ${name}, p95, ms`, ({ browse }) => browse?.[name]?.p95],
    ),
    ...names(({ search }) => search).flatMap((name): Row[] => [
      [`search: ${name}, SQL p95, ms`, ({ search }) => search?.[name]?.sql.p95],
      [`search: ${name}, HTTP p95, ms`, ({ search }) => search?.[name]?.http.p95],
    ]),
    ['desk: queue, p95, ms', ({ desk }) => desk?.queue.p95],
    ['desk: statistics, p95, ms', ({ desk }) => desk?.statistics.p95],
    ['deliveries per second', ({ delivery }) => delivery?.perSecond],
    ['stored files per post', ({ files }) => files?.filesPerPost],
    ['bytes of these files per post', ({ files }) => files?.bytesPerPost],
    ['rebuild, pages per second', ({ rebuild }) => rebuild?.pagesPerSecond],
    ...tables.flatMap((table): Row[] => [
      [`${table}, bytes per post`, (size) => bytes(size, table)?.bytesPerPost],
      [`${table}, index bytes per post`, (size) => bytes(size, table)?.indexBytesPerPost],
    ]),
  ]
}
