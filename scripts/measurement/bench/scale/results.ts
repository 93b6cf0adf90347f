import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'

export type Percentiles = { p50: number; p95: number; p99: number }

/** Bytes of a table and its indexes, for each post of the database. */
export type TableSize = { table: string; rows: number; bytesPerPost: number; indexBytesPerPost: number }

/** What was measured at one size. Times are in milliseconds. */
export type SizeResult = {
  posts: number
  submit?: { perSecond: number; p50: number; p99: number }
  publish?: { page: Percentiles; msPerPublication: number; filesPerPublication: number }
  browse?: Record<string, Percentiles>
  search?: Record<string, { sql: Percentiles; http: Percentiles; timedOut: number }>
  desk?: Record<'queue' | 'statistics', Percentiles>
  delivery?: { perSecond: number }
  rebuild?: { pagesPerSecond: number }
  tables?: TableSize[]
  /** Stored files of a post and its share of the listings. */
  files?: { filesPerPost: number; bytesPerPost: number }
}

export type ScaleResult = {
  command: string
  date: string
  cores: number
  commit: string
  sizes: SizeResult[]
}

export function describeRun(args: readonly string[], at: Date): Omit<ScaleResult, 'sizes'> {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim()
  const command = ['npm run bench -- scale', ...args].join(' ')
  return { command, date: at.toISOString().slice(0, 10), cores: availableParallelism(), commit }
}

export function percentilesOf(values: readonly number[]): Percentiles {
  const sorted = values.toSorted((one, other) => one - other)
  const at = (share: number) => round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

export const round = (value: number) => Math.round(value * 100) / 100
