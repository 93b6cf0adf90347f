import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { startApi } from '../../../../tooling/environment/processes.ts'
import { median } from '../../../../tooling/median.ts'
import { decimal, readOptions, text, wholeNumber } from '../../../../tooling/script-options.ts'
import { migratedDatabase } from '../../../../tooling/services/databases.ts'
import { cpuSeconds, profiling } from '../cpu-time.ts'
import { bareSubmission } from './bare-submission.ts'
import { openCustomers, storePosts } from './customers.ts'
import type { Load, LoadResult } from './submit-load.ts'

const run = promisify(execFile)
const clients = 16
const accounts = 1_000

/**
 * Measures submissions a second over HTTP with two API processes, compared with pgbench running the same transaction,
 * with few and many posts stored. All four alternate, so that temporary noise affects all of them. Also measures the
 * latency at 100 a second, the platform's rate limit.
 */
export async function benchSubmit(args: string[]): Promise<void> {
  const { seconds, rounds, posts, profile } = readOptions(args, {
    seconds: decimal(8),
    rounds: wholeNumber(3),
    posts: wholeNumber(1_000_000),
    profile: text('FOLDER'),
  })
  await using stack = new AsyncDisposableStack()
  const environments = [await openEnvironment(stack, posts, profile), await openEnvironment(stack, 1_000, profile)]
  // Warms the caches: newly stored data is still being written to disk.
  for (const environment of environments) await measure(environment, seconds)
  for (let round = 1; round <= rounds; round++)
    for (const environment of environments) {
      const result = await measure(environment, seconds)
      environment.results.push(result)
      const { bare, http, refused, apiCpuMs } = result
      console.log(
        `${environment.label}, round ${round}: pgbench ${bare}/s, HTTP ${http}/s, ` +
          `${apiCpuMs.toFixed(2)} ms of the API's CPU each, ${refused} rejected`,
      )
    }
  for (const { label, load, results } of environments) {
    const paced = await runLoad({ ...load, seconds: seconds * 2, perSecond: 100 })
    const ratio = median(results.map(({ bare, http }) => http / bare))
    const [bare, http] = [median(results.map((one) => one.bare)), median(results.map((one) => one.http))]
    console.log(
      JSON.stringify({
        bench: 'submit',
        stored: label,
        clients,
        bare,
        http,
        ratio: round2(ratio),
        api_cpu_ms: round2(median(results.map(({ apiCpuMs }) => apiCpuMs))),
        at_100_per_second: paced,
      }),
    )
  }
  const [many = [], few = []] = environments.map(({ results }) => results)
  const compare = (side: 'bare' | 'http') =>
    round2(median(many.map((one, round) => one[side] / Number(few[round]?.[side]))))
  console.log(JSON.stringify({ bench: 'submit', many_to_few: compare('http'), bare_many_to_few: compare('bare') }))
}

type Environment = {
  label: string
  url: string
  script: string
  apiPids: number[]
  load: Omit<Load, 'seconds'>
  results: Result[]
}

/** A database with this many posts, and two API processes in front of it. */
async function openEnvironment(
  stack: AsyncDisposableStack,
  posts: number,
  profile: string | undefined,
): Promise<Environment> {
  const database = stack.use(await migratedDatabase('bench'))
  const customers = await openCustomers(database, accounts)
  const folder = await mkdtemp(join(tmpdir(), 'broadside-bench-'))
  stack.defer(() => rm(folder, { recursive: true }))
  const script = join(folder, 'submit.sql')
  await writeFile(script, await bareSubmission(database, customers.ids))
  await storePosts(database, posts)
  const settings = { LOG_LEVEL: 'silent', ...profiling(profile) }
  const first = stack.use(await startApi(database, settings))
  const second = stack.use(await startApi(database, { ...settings, SITES: String(first.settings.SITES) }))
  const ports = [first.port, second.port]
  const load = { ports, host: new URL(first.baseUrl).host, apiKeys: customers.apiKeys, clients }
  const label = `${posts.toLocaleString('en')} posts`
  return { label, url: database.urls.api, script, apiPids: [first.pid, second.pid], load, results: [] }
}

async function measure({ url, script, apiPids, load }: Environment, seconds: number): Promise<Result> {
  const bare = Math.round(await runPgbench(url, script, seconds))
  const cpuBefore = cpuSeconds(apiPids)
  const { perSecond: http, refused } = await runLoad({ ...load, seconds })
  const apiCpuMs = ((cpuSeconds(apiPids) - cpuBefore) * 1_000) / (http * seconds)
  return { bare, http, refused, apiCpuMs }
}

/** `apiCpuMs` is the CPU time of the API for one submission. */
type Result = { bare: number; http: number; refused: number; apiCpuMs: number }

const round2 = (value: number) => Math.round(value * 100) / 100

async function runPgbench(url: string, script: string, seconds: number): Promise<number> {
  const options = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), '-f', script]
  const { stdout } = await run('pgbench', [...options, url], { maxBuffer: 8 << 20 })
  return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
}

const loadProgram = join(import.meta.dirname, 'submit-load.ts')

export async function runLoad(load: Load): Promise<LoadResult> {
  const { stdout } = await run(process.execPath, [loadProgram, JSON.stringify(load)], { maxBuffer: 8 << 20 })
  return JSON.parse(stdout) as LoadResult
}
