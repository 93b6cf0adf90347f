import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { showProgress } from '../../../src/bin/progress.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { type Environment, openEnvironment } from './environment.ts'
import type { Kept } from './keep-process.ts'
import { countStatuses, decisionTimes, settleMs, toSeconds, untilSettled } from './outcomes.ts'
import { openPool, openTraffic, type Traffic } from './traffic.ts'
import { inspect, priceMicros } from './verify-posts.ts'

type Options = { submissions: number; kills: number; clients: number }

/** A model call takes long enough that most kills of a worker interrupt one. */
const answerDelayMs = 250
const accountCount = 8

/**
 * Kills API and worker processes while posts are submitted through the gateway. Every acknowledged post must exist
 * once, be charged once and be decided once.
 */
export async function killProcesses({ submissions, kills, clients }: Options) {
  const startedAt = performance.now()
  await using environment = await openEnvironment({ driver: 'command', workers: 2, answerDelayMs })
  await environment.startWorkers()
  const accounts = await environment.createAccounts(accountCount, submissions * priceMicros)
  const traffic = openTraffic({ baseUrl: environment.baseUrl, accounts })
  await using retried = watchRetriedJobs(environment)
  const strikes = await strikeWhilePosting(environment, traffic, { submissions, kills, clients })
  await environment.untilAllUp()
  const showDecided = showProgress('decided')
  const settledFrom = performance.now()
  const isSettled = await untilSettled(environment, {
    withinMs: settleMs,
    onLook: (decided) => showDecided(decided, submissions),
  })
  const settleSeconds = toSeconds(performance.now() - settledFrom)
  const broken = await inspect(environment, traffic)
  if (!isSettled) broken.push(`posts or jobs are still waiting ${settleMs / 1_000} s after the last kill`)
  const missing = submissions - traffic.acknowledged.length
  if (missing > 0) broken.push(`${missing} submissions were never acknowledged`)
  const decidedAt = await decisionTimes(environment)
  const waits = traffic.acknowledged.map(({ id, sentAt }) => (decidedAt.get(id) ?? Number.NaN) - sentAt)
  return {
    submissions,
    acknowledged: traffic.acknowledged.length,
    retries: traffic.attempts() - submissions,
    replays: traffic.acknowledged.filter(({ replayed }) => replayed).length,
    answers: Object.fromEntries([...traffic.answers].sort()),
    kills: describeStrikes(strikes, traffic),
    model_starts: environment.modelStarts().length,
    jobs_run_again: retried.count(),
    statuses: await countStatuses(environment),
    longest_seconds_to_decision: toSeconds(Math.max(...waits)),
    seconds_to_settle: settleSeconds,
    seconds: toSeconds(performance.now() - startedAt),
    ...environment.logsIf(broken.length > 0),
    broken,
  }
}

type Strike = { command: string; at: number; questionsInFlight: number }

/** Each kill happens after its share of the posts, so that both are spread over the whole run. */
async function strikeWhilePosting(
  environment: Environment,
  traffic: Traffic,
  { submissions, kills, clients }: Options,
) {
  const strikes: Strike[] = []
  const pool = openPool(clients)
  const show = showProgress(`${kills} kills, posts acknowledged:`)
  const victims = [...environment.apis, ...environment.workers]
  let sent = 0
  for (let number = 1; number <= Math.max(kills, 1); number++) {
    const due = Math.round((submissions * number) / Math.max(kills, 1))
    for (; sent < due; sent++) {
      const post = sent + 1
      pool.add(() => traffic.submit(post))
    }
    if (kills > 0) strikes.push(await strikeOne(environment, victims))
    await pool.untilLeft(clients)
    show(Math.min(traffic.acknowledged.length, submissions - 1), submissions)
  }
  await pool.untilLeft(0)
  show(submissions, submissions)
  return strikes
}

async function strikeOne(environment: Environment, victims: readonly Kept[]): Promise<Strike> {
  let victim: Kept | undefined
  const find = async () => {
    const up = victims.filter((one) => one.isUp())
    victim = up[randomInt(Math.max(up.length, 1))]
    return victim !== undefined
  }
  await waitFor(find, 'a process to kill').catch((error) => {
    throw new Error(`No process starts: ${environment.deaths().at(-1)}. See ${environment.logFolder}`, {
      cause: error,
    })
  })
  if (!victim) throw new Error('no process to kill')
  await untilItsMoment(environment, victim)
  const questionsInFlight = environment.modelSwitch.inFlight(victim.name)
  const at = Date.now()
  await victim.kill()
  return { command: victim.command, at, questionsInFlight }
}

/**
 * Chooses a random process: an API process shortly after posts were sent, or, half of the time, a worker while it
 * moderates posts.
 */
async function untilItsMoment({ modelSwitch }: Environment, { name, command }: Kept): Promise<void> {
  if (command === 'api') return sleep(randomInt(80))
  if (randomInt(2) === 0) return sleep(randomInt(1_000))
  const isJudging = async () => modelSwitch.inFlight(name) > 0
  await waitFor(isJudging, 'a question', 3_000).catch(() => {})
  await sleep(randomInt(answerDelayMs))
}

/** Which kills interrupted work: the proxy saw an open request of the worker, or a client lost the API's response. */
function describeStrikes(strikes: readonly Strike[], { lost }: Traffic) {
  const apis = strikes.filter(({ command }) => command === 'api')
  const workers = strikes.filter(({ command }) => command === 'worker')
  const costAnAnswer = ({ at }: Strike) =>
    lost.some(({ sentAt, endedAt }) => sentAt <= at && endedAt >= at && endedAt - at < 1_000)
  return {
    all: strikes.length,
    api: apis.length,
    api_with_requests_in_flight: apis.filter(costAnAnswer).length,
    worker: workers.length,
    worker_with_posts_in_flight: workers.filter(({ questionsInFlight }) => questionsInFlight > 0).length,
  }
}

/** Counts the jobs that one worker left and another took over: they wait a second or more in between. */
function watchRetriedJobs({ query }: Environment) {
  const seen = new Set<string>()
  const stop = new AbortController()
  const watching = (async () => {
    while (!stop.signal.aborted) {
      const rows = await query<{ id: string }>(
        "select id from pgboss.job_common where name = 'moderate-post' and retry_count > 0",
      )
      for (const { id } of rows) seen.add(id)
      await sleep(300)
    }
  })()
  return {
    count: () => seen.size,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await watching
    },
  }
}
