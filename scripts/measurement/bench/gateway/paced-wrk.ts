import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const script = join(import.meta.dirname, 'paced.lua')

export type Load = {
  port: number
  addresses: readonly string[]
  hosts: readonly string[]
  paths: readonly string[]
  encoding?: string
  connections: number
  seconds: number
  /** The total rate of all connections. Default: unlimited. */
  perSecond?: number
  /** Whether to check every response, which slows the load generator down. */
  countsStatuses: boolean
}

export type Outcome = {
  requests: number
  seconds: number
  /** The number of responses by status, if they were counted. */
  statuses: Record<string, number>
  /** 429 responses that are not the expected problem document. */
  strange: number
  not_2xx: number
  lost: number
  p50_ms: number
  p99_ms: number
  /** The body of a 429 response. */
  sample: string
}

/** One thread for each address. */
const threads = 2

/**
 * Runs wrk, which has no option for a fixed rate: its script spaces the requests out, with a schedule for each thread.
 */
export async function runWrk(wrk: string, load: Load): Promise<Outcome> {
  const { port, addresses, hosts, paths, connections, seconds, perSecond = 0 } = load
  const args = [`-t${threads}`, `-c${connections}`, `-d${seconds}s`, '-s', script, `http://${addresses[0]}:${port}/`]
  const own = [perSecond, threads, hosts.join(','), paths.join(','), load.encoding ?? 'identity'].map(String)
  const { stdout } = await run(wrk, [...args, '--', ...own], {
    env: {
      ...process.env,
      BENCH_ADDRESSES: addresses.join(','),
      BENCH_PORT: String(port),
      BENCH_PACED: perSecond > 0 ? 'yes' : 'no',
      BENCH_COUNTED: load.countsStatuses ? 'yes' : 'no',
    },
  })
  const result = /^RESULT (.*)$/m.exec(stdout)?.[1]
  if (!result) throw new Error(`wrk printed no result:\n${stdout}`)
  return { ...JSON.parse(result), sample: /^SAMPLE (.*)$/m.exec(stdout)?.[1] ?? '' }
}

export const findWrk = (): string | undefined =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'wrk'))
    .find((file) => existsSync(file))
