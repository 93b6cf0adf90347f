import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { Webhook } from 'standardwebhooks'
import { readOptions, text, wholeNumber } from '../../../../tooling/script-options.ts'
import { waitFor } from '../../../../tooling/services/state.ts'
import { cpuSeconds, machineSeconds } from '../cpu-time.ts'
import type { BareOrder, BareResult } from './bare-sender.ts'
import { openWebhookEnvironment, recordEvents, startChild, type WebhookEnvironment } from './environment.ts'
import type { Arrived, Sample } from './receiver.ts'

/** The worker's concurrency limit per endpoint; the bare loop gets as many connections. */
const seats = 8

/**
 * Measures the deliveries a second of one worker process, each signed and recorded, compared with a bare undici loop
 * that posts the same bytes over as many connections to the same receiver. Both alternate, so that temporary noise
 * affects both. The bare loop signs nothing.
 */
export async function benchWebhooks(args: string[]): Promise<void> {
  const { deliveries, rounds, endpoints, profile } = readOptions(args, {
    deliveries: wholeNumber(10_000),
    rounds: wholeNumber(5),
    endpoints: wholeNumber(20),
    profile: text('FOLDER'),
  })
  const perEndpoint = Math.ceil(deliveries / endpoints)
  await using stack = new AsyncDisposableStack()
  const environment = await openWebhookEnvironment(stack, {
    endpoints,
    profile,
  })
  const loop = await startChild(stack, 'bare-sender.ts')
  // A warm-up, which also records the requests that the bare loop repeats.
  const { samples } = await deliverEvents(environment, perEndpoint)
  const { ca, addressOf } = environment
  const order = { ca, addressOf, samples, seats, posts: perEndpoint * endpoints }
  await repeat(environment, loop, order)
  const results: Result[] = []
  for (let round = 1; round <= rounds; round++) {
    const bare = await repeat(environment, loop, order)
    const { worker } = await deliverEvents(environment, perEndpoint)
    const result = { bare, worker, ratio: round2(worker.per_second / bare.per_second) }
    results.push(result)
    console.log(`round ${round}: bare ${describe(bare)}, worker ${describe(worker)}, ratio ${result.ratio}`)
  }
  const quiet = results.filter(({ bare, worker }) => Math.max(bare.busy_elsewhere, worker.busy_elsewhere) < 0.25)
  const counted = (quiet.length > 0 ? quiet : results).sort((one, other) => one.ratio - other.ratio)
  const size = { endpoints, connections: endpoints * seats, deliveries: order.posts, quiet_rounds: quiet.length }
  console.log(JSON.stringify({ bench: 'webhooks', ...size, ...counted[Math.floor(counted.length / 2)] }))
}

type Result = { bare: Spent; worker: Spent; ratio: number }

type Spent = {
  per_second: number
  /**
   * CPU time of each process per post, in microseconds. The slowest process limits the rate; with few cores, the sum
   * does.
   */
  cpu_us: Record<string, number>
  /** The number of cores busy with other work. A round on a busy machine counts only if there is no better one. */
  busy_elsewhere: number
}

const describe = (spent: Spent) => `${spent.per_second}/s (${spent.busy_elsewhere} busy elsewhere)`
const round2 = (value: number) => Math.round(value * 100) / 100

/**
 * Lets the worker send the recorded events, and waits until all have arrived and the database shows them as delivered.
 */
export async function deliverEvents(
  environment: WebhookEnvironment,
  perEndpoint: number,
): Promise<{ worker: Spent; samples: Sample[] }> {
  const expected = perEndpoint * environment.endpoints
  await recordEvents(environment, perEndpoint)
  const allArrived = expectPosts(environment, expected)
  const readClock = (postgres: number) => ({
    sender: cpuSeconds([environment.worker.pid]),
    postgres,
    receiver: cpuSeconds([Number(environment.receiver.pid)]),
    machine: machineSeconds(),
  })
  const backendsBefore = new Map((await backendsOf(environment)).map((pid) => [pid, cpuSeconds([pid])]))
  const before = readClock(0)
  const startedAt = performance.now()
  await environment.owner.pool.query('update delivery_lanes set paused_until = null')
  const { arrived, distinct, samples } = await allArrived
  await waitFor(async () => (await countPending(environment)) === 0, 'all deliveries to be recorded', 10_000)
  const seconds = (performance.now() - startedAt) / 1_000
  // Processes that exited meanwhile are left out, because their earlier time would be subtracted.
  const backends = (await backendsOf(environment)).map((pid) => cpuSeconds([pid]) - (backendsBefore.get(pid) ?? 0))
  const postgres = backends.reduce((sum, used) => sum + used, 0)
  const worker = spentOn(expected, { seconds, before, after: readClock(postgres) })
  assert.deepEqual({ arrived, distinct }, { arrived: expected, distinct: expected })
  await assertDeliveredOnce(environment)
  for (const { host, path, body, headers } of samples)
    new Webhook(String(environment.secretOf.get(`${host}${path}`))).verify(body, headers)
  return { worker, samples }
}

async function repeat(environment: WebhookEnvironment, loop: ChildProcess, order: BareOrder): Promise<Spent> {
  const allArrived = expectPosts(environment, order.posts)
  const readClock = () => ({
    sender: cpuSeconds([Number(loop.pid)]),
    receiver: cpuSeconds([Number(environment.receiver.pid)]),
    machine: machineSeconds(),
  })
  const before = readClock()
  loop.send(order)
  const [[{ seconds, refused }]] = (await Promise.all([once(loop, 'message'), allArrived])) as [[BareResult], Arrived]
  assert.equal(refused, 0)
  return spentOn(order.posts, { seconds, before, after: readClock() })
}

async function expectPosts({ receiver }: WebhookEnvironment, expected: number): Promise<Arrived> {
  receiver.send({ expected })
  const [arrived] = await once(receiver, 'message', { signal: AbortSignal.timeout(120_000) })
  return arrived as Arrived
}

type Clocks = Record<string, number> & { machine: number }

function spentOn(posts: number, { seconds, before, after }: { seconds: number; before: Clocks; after: Clocks }): Spent {
  const { machine, ...ours } = Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, value - Number(before[name])]),
  )
  const oursInAll = Object.values(ours).reduce((sum, value) => sum + value, 0)
  return {
    per_second: Math.round(posts / seconds),
    cpu_us: Object.fromEntries(Object.entries(ours).map(([name, value]) => [name, Math.round((value * 1e6) / posts)])),
    busy_elsewhere: round2((Number(machine) - oursInAll) / seconds),
  }
}

async function backendsOf({ owner }: WebhookEnvironment): Promise<number[]> {
  const { rows } = await owner.pool.query<{ pid: number }>(
    `select pid from pg_stat_activity where datname = current_database() and application_name <> 'bench'`,
  )
  return rows.map(({ pid }) => pid)
}

async function countPending({ owner }: WebhookEnvironment): Promise<number> {
  const { rows } = await owner.pool.query<{ count: number }>(
    `select count(*)::int from deliveries where status = 'pending'`,
  )
  return Number(rows[0]?.count)
}

async function assertDeliveredOnce({ owner }: WebhookEnvironment): Promise<void> {
  const { rows } = await owner.pool.query(
    `select from deliveries where status <> 'delivered' or jsonb_array_length(attempts) <> 1 limit 1`,
  )
  assert.equal(rows.length, 0, 'a delivery was not recorded exactly once')
}
