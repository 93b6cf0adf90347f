import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs, promisify } from 'node:util'
import { startApi } from '../../test/support/processes.ts'
import { migratedDatabase } from '../services/databases.ts'
import { bareSubmission } from './bare-submission.ts'
import type { Load, LoadResult } from './submit-load.ts'
import { openCustomers, storePosts } from './submit-stage.ts'

const run = promisify(execFile)
const clients = 16
const accounts = 1_000

/**
 * Submissions a second over HTTP, in two API processes, against pgbench with the same transaction: in turns, with few
 * posts stored and with many; and the latency at 100 a second, which is the platform's ceiling.
 */
export async function benchSubmit(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: { seconds: { type: 'string' }, rounds: { type: 'string' }, posts: { type: 'string' } },
  })
  const [seconds, rounds] = [Number(values.seconds ?? 8), Number(values.rounds ?? 3)]
  await using database = await migratedDatabase('bench')
  const customers = await openCustomers(database, accounts)
  const folder = await mkdtemp(join(tmpdir(), 'broadside-bench-'))
  const script = join(folder, 'submit.sql')
  await writeFile(script, await bareSubmission(database, customers.ids))
  await using first = await startApi(database, { LOG_LEVEL: 'silent' })
  await using second = await startApi(database, { LOG_LEVEL: 'silent', SITES: String(first.settings.SITES) })
  const load = {
    ports: [first.port, second.port],
    host: new URL(first.baseUrl).host,
    apiKeys: customers.apiKeys,
    clients,
  }
  const measure = async (label: string) => {
    // Until caches are warm on both sides: what was just stored is on its way to the disk.
    await runPgbench(database.urls.api, script, seconds)
    await runLoad({ ...load, seconds })
    const results: Result[] = []
    for (let round = 1; round <= rounds; round++) {
      const bare = await runPgbench(database.urls.api, script, seconds)
      const http = await runLoad({ ...load, seconds })
      results.push({ bare, http: http.perSecond, ratio: http.perSecond / bare, refused: http.refused })
      console.log(
        `${label}, round ${round}: pgbench ${bare.toFixed(0)}/s, HTTP ${http.perSecond}/s, ${http.refused} refused`,
      )
    }
    const paced = await runLoad({ ...load, seconds: seconds * 2, perSecond: 100 })
    const middle = results.sort((one, other) => one.ratio - other.ratio)[Math.floor(rounds / 2)]
    console.log(JSON.stringify({ bench: 'submit', stored: label, clients, ...middle, at_100_per_second: paced }))
    return { rate: median(results.map(({ http }) => http)), bare: median(results.map(({ bare }) => bare)) }
  }
  try {
    await storePosts(database, 1_000)
    const few = await measure('1,000 posts')
    const many = Number(values.posts ?? 1_000_000)
    await storePosts(database, many)
    const filled = await measure(`${many.toLocaleString('en')} posts`)
    const [ratio, bareRatio] = [filled.rate / few.rate, filled.bare / few.bare]
    console.log(JSON.stringify({ bench: 'submit', many_to_few: round2(ratio), bare_many_to_few: round2(bareRatio) }))
  } finally {
    await rm(folder, { recursive: true })
  }
}

type Result = { bare: number; http: number; ratio: number; refused: number }

const round2 = (value: number) => Math.round(value * 100) / 100
const median = (values: number[]) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0

async function runPgbench(url: string, script: string, seconds: number): Promise<number> {
  const options = ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), '-f', script]
  const { stdout } = await run('pgbench', [...options, url], { maxBuffer: 8 << 20 })
  return Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
}

const loadProgram = join(import.meta.dirname, 'submit-load.ts')

async function runLoad(load: Load): Promise<LoadResult> {
  const { stdout } = await run(process.execPath, [loadProgram, JSON.stringify(load)], { maxBuffer: 8 << 20 })
  return JSON.parse(stdout) as LoadResult
}
