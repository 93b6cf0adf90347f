import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { connect } from '../../../../src/platform/database/database.ts'
import { spawnBroadside, startApi } from '../../../../tooling/environment/processes.ts'
import { median } from '../../../../tooling/median.ts'
import { decimal, readOptions, text } from '../../../../tooling/script-options.ts'
import { migratedDatabase } from '../../../../tooling/services/databases.ts'
import { answers } from '../../../../tooling/services/stack.ts'
import { repoDir, waitFor } from '../../../../tooling/services/state.ts'
import { cpuSeconds } from '../cpu-time.ts'
import { openCustomers } from './customers.ts'
import type { ModerationLoad, ModerationLoadResult } from './moderation-load.ts'

const run = promisify(execFile)
const usual = { perSecond: 20, seconds: 300, readsPerSecond: 100, readSeconds: 10, rounds: 3 }

/**
 * Sends posts through the whole pipeline at a steady rate, with the real local model and a stub judge. Measures
 * decisions a second, the time to a decision, and the latency of API callers at 100 requests a second.
 */
export async function benchModeration(args: string[]): Promise<void> {
  const {
    seconds,
    rate: perSecond,
    threads,
  } = readOptions(args, { seconds: decimal(usual.seconds), rate: decimal(usual.perSecond), threads: text('N') })
  await using environment = await openEnvironment(threads)
  const { reads, submit, count, pids } = environment
  await submit({ perSecond: 2, seconds: 5 })
  await waitFor(async () => (await count()).queued === 0, 'the model to be warm', 120_000)
  const quiet: number[] = []
  for (let round = 0; round < usual.rounds; round++) quiet.push((await reads()).p99)
  const before = await count()
  const cpuBefore = cpuSeconds(pids)
  const startedAt = performance.now()
  const submitting = submit({ perSecond, seconds })
  const busy: number[] = []
  while (performance.now() - startedAt < (seconds - usual.readSeconds) * 1_000) busy.push((await reads()).p99)
  const posts = await submitting
  const atEnd = await count()
  const decidedPerSecond = (atEnd.decided - before.decided) / ((performance.now() - startedAt) / 1_000)
  await waitFor(async () => (await count()).queued === 0, 'all posts to be decided', 900_000)
  const cpu = cpuSeconds(pids) - cpuBefore
  for (let round = 0; round < usual.rounds; round++) quiet.push((await reads()).p99)
  const figures = {
    ...{ bench: 'moderation', asked_per_second: perSecond, seconds, sent: posts.sent, refused: posts.refused },
    ...{ decided_per_second: round1(decidedPerSecond), waiting_at_end: atEnd.queued, ...(await environment.latency()) },
    cpu_ms_per_post: Math.round((cpu * 1_000) / posts.sent),
    reads_p99_ms: { quiet, busy, quiet_median: median(quiet), busy_median: median(busy) },
    reads_p99_ratio: Math.round((median(busy) / median(quiet)) * 100) / 100,
  }
  console.log(JSON.stringify(figures))
}

const round1 = (value: number) => Math.round(value * 10) / 10

async function openEnvironment(threads: string | undefined) {
  await using stack = new AsyncDisposableStack()
  const database = stack.use(await migratedDatabase('bench'))
  const { apiKeys } = await openCustomers(database, 200)
  const api = stack.use(await startApi(database, { LOG_LEVEL: 'silent', MODEL_DRIVER: 'always-on' }))
  const settings = { ...api.settings, ...(threads !== undefined && { MODEL_THREADS: threads }) }
  const model = stack.use(spawnBroadside(settings, 'model'))
  await waitFor(() => answers(`${api.settings.MODEL_URL}/healthz`), 'the local model', 60_000)
  const worker = stack.use(spawnBroadside(api.settings, 'worker'))
  const { pool } = stack.use(connect(database.urls.migrator, { poolMax: 1, applicationName: 'bench' }))
  const query: Query = async (text) => (await pool.query(text)).rows
  const shared = { port: api.port, host: new URL(api.baseUrl).host, apiKeys, words: realWords() }
  const moved = stack.move()
  return {
    pids: [model.pid, worker.pid],
    submit: (rate: { perSecond: number; seconds: number }) => load({ ...shared, ...rate, what: 'posts', clients: 8 }),
    reads: () =>
      load({ ...shared, what: 'reads', clients: 8, perSecond: usual.readsPerSecond, seconds: usual.readSeconds }),
    count: () => countPosts(query),
    latency: () => readLatency(query),
    [Symbol.asyncDispose]: () => moved.disposeAsync(),
  }
}

/** The words of harmless posts, so that texts have realistic lengths and word frequencies. */
function realWords(): string[] {
  const lines = readFileSync(join(repoDir, 'model/data/clean.jsonl'), 'utf8').trim().split('\n')
  const texts = lines.map((line) => String((JSON.parse(line) as { text: string }).text))
  return [...new Set(texts.join(' ').match(/\p{L}{2,}/gu))]
}

const loadProgram = join(import.meta.dirname, 'moderation-load.ts')

async function load(what: ModerationLoad): Promise<ModerationLoadResult> {
  const { stdout } = await run(process.execPath, [loadProgram, JSON.stringify(what)], { maxBuffer: 8 << 20 })
  return JSON.parse(stdout) as ModerationLoadResult
}

async function countPosts(query: Query): Promise<{ queued: number; decided: number }> {
  const [row] = await query<{ queued: number; decided: number }>(
    `select (count(*) filter (where status = 'queued'))::int as queued,
       (count(*) filter (where status <> 'queued'))::int as decided from posts`,
  )
  return row ?? { queued: 0, decided: 0 }
}

async function readLatency(query: Query) {
  const [row] = await query<{ p50: number; p95: number; published: number; total: number }>(
    `select percentile_cont(0.5) within group (order by extract(epoch from moderation_decisions.decided_at - posts.created_at))::float as p50,
       percentile_cont(0.95) within group (order by extract(epoch from moderation_decisions.decided_at - posts.created_at))::float as p95,
       (count(*) filter (where outcome = 'publish'))::int as published, count(*)::int as total
     from posts join moderation_decisions on post_id = posts.id`,
  )
  return (
    row && {
      decision_p50_s: round1(row.p50),
      decision_p95_s: round1(row.p95),
      published_share: round1((row.published / row.total) * 100) / 100,
    }
  )
}

type Query = <Row>(text: string) => Promise<Row[]>
