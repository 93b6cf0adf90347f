import { cpus } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { showProgress } from '../../../../src/bin/progress.ts'
import { connect, inTransaction } from '../../../../src/platform/database/database.ts'
import { newId } from '../../../../src/platform/identifiers.ts'
import { recordEvent } from '../../../../src/posts/events.ts'
import { openApiClient } from '../../../../tooling/clients/api-client.ts'
import { waitFor } from '../../../../tooling/services/state.ts'
import { type Account, type Environment, openEnvironment } from '../environment.ts'
import { settleMs, toSeconds } from '../outcomes.ts'
import { openPool } from '../traffic.ts'
import { describe } from './figures.ts'
import type { Listener } from './receivers.ts'
import { type Receivers, startReceivers } from './start-receivers.ts'

export type RunOptions = {
  events: number
  /** Events recorded after the kills, to separate the effect of failing endpoints from the effect of kills. */
  calmEvents: number
  rate: number
  workers: number
  killSeconds: number
}

/** Concurrent transactions; each waits for its account's counter. */
const recorders = 16

/**
 * Records events at a steady rate while workers are killed in turn, until all events that can be delivered have
 * arrived.
 */
export async function deliverWhileKilling(name: string, listeners: readonly Listener[], options: RunOptions) {
  const startedAt = performance.now()
  await using receivers = await startReceivers(listeners)
  const { workers, killSeconds, events, calmEvents, rate } = options
  await using environment = await openEnvironment({ driver: 'command', workers, settings: receivers.settings })
  const accounts = await environment.createAccounts(1 + Math.max(...listeners.map(({ account }) => account)), 1)
  const healthy = await register(environment, receivers, accounts)
  // The daily limit for endpoints that never answered a test must not hold the events.
  await environment.query('update webhooks set proven_at = created_at')
  await environment.startWorkers()
  const processors = watchProcessors()
  const scene = { environment, receivers, accounts, healthy, rate }
  const over = new AbortController()
  const [struck, heldAtKills] = await Promise.all([
    deliver(scene, { label: name, events, before: 0, onRecorded: () => over.abort() }),
    killInTurn(environment, killSeconds, over.signal),
  ])
  const busyPercent = processors.busyPercent()
  const calmFrom = Date.now()
  const calm =
    calmEvents > 0
      ? await deliverCalmly(scene, { label: `${name}, no kills`, events: calmEvents, before: struck.expected })
      : null
  const run = {
    ...{ events, calmEvents, heldAtKills, busyPercent, calmFrom },
    expected: struck.expected + (calm?.expected ?? 0),
    recordingSeconds: struck.recordingSeconds,
    settlingSeconds: struck.settlingSeconds,
    seen: await receivers.report(),
    rows: await countRows(environment, healthy),
    eventTimes: await readEventTimes(environment),
    deaths: environment.deaths(),
    seconds: toSeconds(performance.now() - startedAt),
  }
  // A worker that is stopping waits for hanging endpoints.
  await receivers.stop()
  return describe(run, environment.logsIf)
}

/** Registers all endpoints as their accounts would, and returns the ids of the healthy ones. */
async function register({ baseUrl }: Environment, { places, trust }: Receivers, accounts: readonly Account[]) {
  const secrets: Record<string, string> = {}
  const healthy: string[] = []
  for (const [number, { apiKey }] of accounts.entries()) {
    const client = openApiClient({ baseUrl, apiKey })
    for (const { host, behaviour } of places.filter(({ account }) => account === number)) {
      const { body } = await client.createWebhook({ url: `https://${host}/events` })
      secrets[host] = body.secret
      if (behaviour === 'healthy') healthy.push(body.id)
    }
  }
  await trust(secrets)
  return healthy
}

type Scene = {
  environment: Environment
  receivers: Receivers
  accounts: readonly Account[]
  /** The ids of the healthy endpoints. */
  healthy: readonly string[]
  rate: number
}
/** `before`: the number of earlier events that arrived. */
type Wave = { label: string; events: number; before: number; onRecorded?: () => void }

/** Records events and waits until every healthy endpoint has received them and the database shows it. */
async function deliver(scene: Scene, { label, events, before, onRecorded }: Wave) {
  const { environment, receivers, accounts, healthy } = scene
  const expected = countExpected(receivers.places, accounts.length, events)
  const show = showProgress(`${label}: arrived at healthy endpoints`)
  let recordingSeconds = 0
  let recordedAt = Number.POSITIVE_INFINITY
  const recording = recordEvents(scene, events).then((seconds) => {
    recordingSeconds = seconds
    recordedAt = performance.now()
    onRecorded?.()
  })
  const isOver = async () => {
    const arrived = (await receivers.countArrived()) - before
    show(arrived, expected)
    return recordingSeconds > 0 && arrived >= expected && isAllDelivered(environment, healthy)
  }
  while (!(await isOver()) && performance.now() - recordedAt < settleMs) await sleep(200)
  await recording
  return { expected, recordingSeconds, settlingSeconds: toSeconds(performance.now() - recordedAt) }
}

/** Waits until all workers are up again and the leases of the killed ones have ended. */
async function deliverCalmly(scene: Scene, wave: Wave) {
  const { untilAllUp, workers, query } = scene.environment
  await untilAllUp()
  const areAloneAlive = async () => (await query('select from delivery_workers')).length === workers.length
  await waitFor(areAloneAlive, 'killed workers to be detected')
  return deliver(scene, wave)
}

/** The number of deliveries to healthy endpoints. The events rotate over the accounts. */
function countExpected(places: readonly Listener[], accounts: number, events: number): number {
  const eventsOf = (account: number) => Math.floor(events / accounts) + (account < events % accounts ? 1 : 0)
  return places
    .filter(({ behaviour }) => behaviour === 'healthy')
    .reduce((sum, { account }) => sum + eventsOf(account), 0)
}

/**
 * Records events as a worker does when a post is decided, but without posts: this tests the path from the event to the
 * receiver, and moderating 10,000 posts would only slow the machine down. The time of an event is the time of its
 * transaction.
 */
async function recordEvents({ environment, accounts, rate }: Scene, events: number): Promise<number> {
  const { database, baseUrl } = environment
  await using worker = connect(database.urls.worker, { poolMax: recorders, applicationName: 'chaos events' })
  const pool = openPool(recorders)
  const startedAt = performance.now()
  const record = async (accountId: string) => {
    const at = new Date()
    const postId = newId('post', at)
    const data = { id: postId, kind: 'message', status: 'published', url: `${baseUrl}/p/${postId}` }
    const event = { type: 'post.published' as const, accountId, postId, data, at }
    // An event that was not recorded is reported as missing at the end.
    await inTransaction(worker.db, (tx) => recordEvent(tx, event)).catch(() => {})
  }
  let number = 0
  for (const { id } of inTurn(accounts)) {
    if (number === events) break
    const wait = startedAt + (number * 1_000) / rate - performance.now()
    if (wait > 0) await sleep(wait)
    pool.add(() => record(id))
    number += 1
  }
  await pool.untilLeft(0)
  return (performance.now() - startedAt) / 1_000
}

function* inTurn<One>(ones: readonly One[]): Generator<One, void> {
  while (true) yield* ones
}

/**
 * Kills each worker in turn, whether or not it is up again. Returns, for each kill, the number of endpoints with a
 * delivery in progress: those of the killed worker wait until its death is detected.
 */
async function killInTurn({ workers, query }: Environment, seconds: number, signal: AbortSignal): Promise<number[]> {
  const held: number[] = []
  for (const worker of inTurn(workers)) {
    await sleep(seconds * 1_000, undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    const lanes = await query("select from delivery_lanes where holder is not null and queue = 'first'")
    await worker.kill()
    held.push(lanes.length)
  }
  return held
}

/** CPU use of the whole machine: two runs are comparable only if neither had to wait for a core. */
function watchProcessors() {
  const count = () => {
    const times = cpus().map((one) => one.times)
    const idle = times.reduce((total, one) => total + one.idle, 0)
    return { idle, all: times.reduce((total, { user, nice, sys, irq }) => total + user + nice + sys + irq, idle) }
  }
  const before = count()
  return {
    busyPercent: () => {
      const now = count()
      return Math.round(100 * (1 - (now.idle - before.idle) / (now.all - before.all)))
    },
  }
}

async function isAllDelivered({ query }: Environment, healthy: readonly string[]): Promise<boolean> {
  const [row] = await query("select from deliveries where webhook_id = any($1) and status <> 'delivered' limit 1", [
    healthy,
  ])
  return row === undefined
}

/** The state of every event for every endpoint of its account; `lost` if there is no delivery. */
async function countRows({ query }: Environment, healthy: readonly string[]) {
  const rows = await query<{ is_healthy: boolean; status: string; rows: number }>(
    `select webhooks.id = any($1) as is_healthy, coalesce(deliveries.status::text, 'lost') as status, count(*) as rows
    from events join webhooks on webhooks.account_id = events.account_id
    left join deliveries on deliveries.webhook_id = webhooks.id and deliveries.event_id = events.id
    group by 1, 2 order by 1, 2`,
    [healthy],
  )
  const countsOf = (isHealthy: boolean): Record<string, number> =>
    Object.fromEntries(rows.filter((row) => row.is_healthy === isHealthy).map((row) => [row.status, row.rows]))
  return { healthy: countsOf(true), sick: countsOf(false) }
}

async function readEventTimes({ query }: Environment): Promise<Map<string, number>> {
  const rows = await query<{ id: string; at: Date }>('select id, at from events')
  return new Map(rows.map(({ id, at }) => [id, at.getTime()]))
}
