import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { usualLimits } from '../../../../src/bin/gateway/limit-values.ts'
import { streamLimits } from '../../../../src/contract/stream-limits.ts'
import { asAdministrator } from '../../../../src/platform/database/database-setup.ts'
import { patienceMs, waitFor } from '../../../../tooling/services/state.ts'
import { type Environment, openEnvironment } from '../environment.ts'
import { openDecisions } from './decisions.ts'
import { type Order, type Report, stepMs } from './readers.ts'

type Options = { readers: number; rate: number; seconds: number; kills: number; outages: number }

/**
 * Readers follow the stream through the gateway while posts are published and deleted, API processes are killed and the
 * database goes away. Every reader must get every entry of the log once.
 */
export async function followWhileKilling({ readers, rate, seconds, kills, outages }: Options) {
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
  const plan = faultsOf(environment, { kills, outages })
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
  const broken = [
    ...(isComplete ? [] : [`the slowest reader is at ${report.slowest} of ${await lastPosition(environment)}`]),
    ...(report.gaps > 0 ? [`${report.gaps} gaps`] : []),
    ...(report.repeats > 0 ? [`${report.repeats} repetitions`] : []),
    ...environment.deaths(),
  ]
  const { delays, slowest: _, ...counts } = report
  return {
    ...{ readers, rate, seconds, faults: faults.map(({ what }) => what), published: decisions.published() },
    entries: await lastPosition(environment),
    ...counts,
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

/** The kills of API processes in turn, with the outages of the database between them. */
function faultsOf(environment: Environment, { kills, outages }: Pick<Options, 'kills' | 'outages'>): Fault[] {
  const killing = Array.from({ length: kills }, (_, number): Fault => {
    const victim = environment.apis[number % environment.apis.length]
    return { what: `kill ${victim?.name}`, work: async () => void (await victim?.kill()) }
  })
  const taking = Array.from(
    { length: outages },
    (): Fault => ({ what: 'outage', work: () => loseDatabase(environment) }),
  )
  const [first = [], ...rest] = killing.map((one) => [one])
  return [...first, ...taking, ...rest.flat()]
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
