import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { usualLimits } from '../../../../src/bin/gateway/limit-values.ts'
import { streamLimits } from '../../../../src/contract/stream-limits.ts'
import { asAdministrator } from '../../../../src/platform/database/database-setup.ts'
import { crashPostgres } from '../../../../tooling/services/postgres.ts'
import { patienceMs, waitFor } from '../../../../tooling/services/state.ts'
import { type Environment, openEnvironment } from '../environment.ts'
import type { Kept } from '../keep-process.ts'
import { openDecisions } from './decisions.ts'
import { type Order, type Report, stepMs } from './readers.ts'

type Options = { readers: number; rate: number; seconds: number } & Faults

/** An outage cuts the connections to the run's own database; a restart crashes the server, which other runs may use. */
type Faults = { kills: number; pauses: number; restarts: number; outages?: number }

/**
 * Readers follow the stream through the gateway while posts are published and deleted, API processes are killed and the
 * database goes away. Every reader must get every entry of the log once.
 */
export async function followWhileKilling({ readers, rate, seconds, ...disturbances }: Options) {
  const gatewayLimits = { ...usualLimits, streamOpenings: { perSecond: 1_000, burst: 2_000 } }
  await using environment = await openEnvironment({ driver: 'always-on', workers: 1, gatewayLimits })
  const [account] = await environment.createAccounts(1, 1_000_000)
  if (!account) throw new Error('no account was created')
  await using program = startReaders()
  const { port, host } = new URL(environment.baseUrl)
  const place = { port: Number(port), host, perAddress: streamLimits.perAddress }
  const before = environment.apis.map(({ pid }) => residentBytes(pid()))
  program.send({ order: 'open', ...place, readers })
  await waitFor(async () => (await program.report()).connected === readers, `${readers} readers to connect`)
  await using decisions = openDecisions(environment, account.id)
  const faults: { at: number; what: string }[] = []
  const during = (work: () => Promise<unknown>, what: string) => {
    faults.push({ at: Date.now(), what })
    return work()
  }
  const plan = faultsOf(environment, disturbances)
  const publishing = decisions.publishFor(seconds, rate)
  for (const { what, work } of plan) {
    await sleep((seconds * 1_000) / (plan.length + 1))
    await during(work, what)
  }
  await publishing
  await environment.untilAllUp()
  const isComplete = await untilComplete(environment, program.report)
  const report = await program.report()
  const after = environment.apis.map(({ pid }) => residentBytes(pid()))
  const { gaps, skipped } = await explainMissing(environment, report.missing)
  const broken = [
    ...(isComplete ? [] : [`the slowest reader is at ${report.slowest} of ${await lastPosition(environment)}`]),
    ...(gaps > 0 ? [`${gaps} events are missing`] : []),
    ...(report.repeats > 0 ? [`${report.repeats} repetitions`] : []),
    ...environment.deaths(),
  ]
  const { delays, slowest: _slowest, missing: _missing, ...counts } = report
  return {
    ...{ readers, rate, seconds, faults: faults.map(({ what }) => what), published: decisions.published() },
    entries: await lastPosition(environment),
    ...counts,
    gaps,
    // Late readers get the deletion of a post alone.
    skipped,
    milliseconds_to_reader: percentiles(delays, () => true),
    // Without what was decided shortly before or after a fault.
    milliseconds_undisturbed: percentiles(delays, (at) => !faults.some((fault) => Math.abs(fault.at - at) < 10_000)),
    api_bytes_before: before,
    api_bytes_after: after,
    ...environment.logsIf(broken.length > 0),
    broken,
  }
}

type Fault = { what: string; work: () => Promise<void> }

/** The faults in turn, those of the database among those of the API processes. */
function faultsOf(environment: Environment, { kills, pauses, restarts, outages = 0 }: Faults): Fault[] {
  const apiOf = (number: number) => environment.apis[number % environment.apis.length] as Kept
  const times = (count: number, faultOf: (number: number) => Fault) =>
    Array.from({ length: count }, (_, at) => ({ ...faultOf(at), place: (at + 0.5) / count }))
  return [
    ...times(kills, (at) => ({ what: `kill ${apiOf(at).name}`, work: () => apiOf(at).kill() })),
    ...times(pauses, (at) => ({ what: `pause ${apiOf(at).name}`, work: () => apiOf(at).pause(pauseMs) })),
    ...times(restarts, () => ({ what: 'restart of PostgreSQL', work: () => crashPostgres() })),
    ...times(outages, () => ({ what: 'outage of the database', work: () => loseDatabase(environment) })),
  ].sort((one, other) => one.place - other.place)
}

const pauseMs = 5_000

/** A late reader does not get a post that was deleted meanwhile. Nothing else may be missing. */
async function explainMissing(environment: Environment, missing: Report['missing']) {
  const rows = await environment.query<{ position: number }>(
    `select entry.position::integer from stream_entries entry join posts on posts.id = entry.post_id
     where entry.position = any ($1) and entry.type <> 'post.removed' and posts.status = 'deleted'`,
    [Object.keys(missing).map(Number)],
  )
  const explained = new Set(rows.map(({ position }) => position))
  const counts = { gaps: 0, skipped: 0 }
  for (const [position, readers] of Object.entries(missing))
    counts[explained.has(Number(position)) ? 'skipped' : 'gaps'] += readers
  return counts
}

/** Ends all connections and refuses new ones for a second, as a restart does. Other runs may use the same server. */
async function loseDatabase({ database }: Environment): Promise<void> {
  const name = new URL(database.adminUrl).pathname.slice(1)
  const server = new URL(database.adminUrl)
  server.pathname = '/postgres'
  await asAdministrator(server.href, async (admin) => {
    await admin.query(`alter database ${name} allow_connections false`)
    try {
      await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
      await sleep(1_000)
    } finally {
      await admin.query(`alter database ${name} allow_connections true`)
    }
  })
}

async function lastPosition(environment: Environment): Promise<number> {
  const [row] = await environment.query<{ last: number; waiting: number }>(
    'select coalesce(max(position), 0)::integer as last, count(*) filter (where position is null)::integer as waiting from stream_entries',
  )
  return row && row.waiting === 0 ? row.last : Number.MAX_SAFE_INTEGER
}

async function untilComplete(environment: Environment, report: () => Promise<Report>): Promise<boolean> {
  const deadline = performance.now() + patienceMs
  while (performance.now() < deadline) {
    if ((await report()).slowest === (await lastPosition(environment))) return true
    await sleep(500)
  }
  return false
}

function startReaders() {
  const child = fork(fileURLToPath(new URL('./readers.ts', import.meta.url)))
  const send = (order: Order) => void child.send(order)
  return {
    send,
    report: async (): Promise<Report> => {
      send({ order: 'report' })
      const [report] = await once(child, 'message')
      return report as Report
    },
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL')
      await once(child, 'exit')
    },
  }
}

function percentiles(delays: Report['delays'], counts: (at: number) => boolean) {
  const merged: number[] = []
  for (const [second, steps] of Object.entries(delays))
    if (counts(Number(second) * 1_000))
      for (const [step, events] of steps.entries()) merged[step] = (merged[step] ?? 0) + events
  const all = merged.reduce((sum, events) => sum + events, 0)
  const at = (share: number) => {
    let sum = 0
    const step = merged.findIndex((events) => {
      sum += events
      return sum >= all * share
    })
    return (step + 1) * stepMs
  }
  return { events: all, p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}

const residentBytes = (pid: number) => 4_096 * Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
