import { showProgress } from '../../../src/bin/progress.ts'
import { openApiClient } from '../../../tooling/clients/api-client.ts'
import { median } from '../../../tooling/median.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { type Environment, openEnvironment } from './environment.ts'
import { decisionTimes, toSeconds, untilSettled } from './outcomes.ts'
import { type Acknowledged, openTraffic, submitAll, type Traffic } from './traffic.ts'
import { inspect, priceMicros } from './verify-posts.ts'

/** Slow enough that a queue builds up: eight concurrent requests per worker result in 80 posts a second. */
const answerDelayMs = 100
const clients = 32
const idleSeconds = 3
/** How long after the idle time the controller may need to check again and stop the process. */
const idleSlackSeconds = 10
const bar = 0.9
const barUnmeasured = 0.5

/** Checks the estimated decision times, from the first post after a pause to the last of a long queue. */
export async function keepEstimates({ posts }: { posts: number }) {
  const startedAt = performance.now()
  await using environment = await openEnvironment({
    driver: 'command',
    workers: 1,
    answerDelayMs,
    settings: { MODEL_IDLE_SECONDS: String(idleSeconds) },
  })
  await environment.startWorkers()
  const accounts = await environment.createAccounts(4, 3 * posts * priceMicros)
  const traffic = openTraffic({ baseUrl: environment.baseUrl, accounts })
  const broken: string[] = []
  if ((await stateOf(environment)) !== 'idle') broken.push('the model did not become idle before the run')
  const first = await queue(environment, traffic, 1)
  const second = await queue(environment, traffic, 1)
  // The first queue is estimated with an assumed speed, and the second with the measured speed.
  const unmeasured = await queue(environment, traffic, posts)
  const measured = await queue(environment, traffic, posts)
  if (first.states.join() !== 'starting') broken.push(`the first post got these estimates: ${first.states}`)
  if (second.states.join() !== 'running') broken.push(`the second post got these estimates: ${second.states}`)
  // The first post is not checked: its estimate is the planned start time.
  for (const [name, { share_within_two }, least] of [
    ['second', second, bar],
    ['unmeasured', unmeasured, barUnmeasured],
    ['measured', measured, bar],
  ] as const)
    if (share_within_two < least) broken.push(`${name}: only ${share_within_two} of the posts got a correct estimate`)
  const idleAfterSeconds = await untilIdle(environment)
  if (idleAfterSeconds === null) broken.push('the model did not become idle in time')
  else if (idleAfterSeconds < idleSeconds - 0.1) broken.push(`the model was stopped after ${idleAfterSeconds} s`)
  const restarted = await queue(environment, traffic, 1)
  if (restarted.states.join() !== 'starting')
    broken.push(`a post after a pause got these estimates: ${restarted.states}`)
  // On a busy machine, one start may take three times as long as another.
  if (restarted.median_told_to_actual > 4 || restarted.median_told_to_actual < 0.25)
    broken.push(`the start takes 1 s, but the estimate was ${restarted.median_told_to_actual} s`)
  broken.push(...(await inspect(environment, traffic)))
  return {
    first,
    second,
    queue_unmeasured: unmeasured,
    queue_measured: measured,
    restarted,
    idle_after_seconds: idleAfterSeconds,
    seconds: toSeconds(performance.now() - startedAt),
    ...environment.logsIf(broken.length > 0),
    broken,
  }
}

const stateOf = async ({ baseUrl }: Environment) => (await openApiClient({ baseUrl }).getStatus()).body.moderation.state

/**
 * Queues posts as fast as they are accepted, waits for the last decision, and compares the estimates with the results.
 */
async function queue(environment: Environment, traffic: Traffic, posts: number) {
  const before = traffic.acknowledged.length
  const begunAt = performance.now()
  await submitAll(traffic, { posts, clients })
  const submitSeconds = toSeconds(performance.now() - begunAt)
  const show = showProgress('decided')
  const onLook = (decided: number) => show(Math.min(decided - before, posts - 1), posts)
  const isSettled = await untilSettled(environment, { withinMs: 300_000, onLook })
  show(posts, posts)
  if (!isSettled) throw new Error('The queue was not processed within five minutes.')
  const decidedAt = await decisionTimes(environment)
  const submitted = traffic.acknowledged.slice(before)
  const [speed] = await environment.query<{ measured: number | null }>(
    'select windows_per_second as measured from model_status',
  )
  return {
    posts,
    seconds_to_submit: submitSeconds,
    ...compare(submitted, decidedAt),
    measured_windows_per_second: speed?.measured && Math.round(speed.measured * 10) / 10,
  }
}

function compare(submitted: readonly Acknowledged[], decidedAt: ReadonlyMap<string, number>) {
  const pairs = submitted.map(({ id, createdAt, told }) => ({
    told: told.decisionAt - createdAt,
    actual: Number(decidedAt.get(id)) - createdAt,
  }))
  const decisions = submitted.map(({ id }) => Number(decidedAt.get(id)))
  const seconds = (Math.max(...decisions) - Math.min(...decisions)) / 1_000
  const toldSeconds = pairs.map(({ told }) => toSeconds(told))
  const actualSeconds = pairs.map(({ actual }) => toSeconds(actual))
  return {
    states: [...new Set(submitted.map(({ told }) => told.state))],
    share_within_two: shareWithinTwo(submitted, decidedAt),
    median_told_seconds: median(toldSeconds),
    median_actual_seconds: median(actualSeconds),
    longest_told_seconds: Math.max(...toldSeconds),
    longest_actual_seconds: Math.max(...actualSeconds),
    median_told_to_actual: Math.round(median(pairs.map(({ told, actual }) => told / Math.max(actual, 1))) * 100) / 100,
    decisions_per_second: seconds > 0 ? Math.round((pairs.length / seconds) * 10) / 10 : null,
  }
}

/**
 * The share of posts whose estimate was between half and twice the actual time. The smallest estimate is one second.
 */
export function shareWithinTwo(
  submitted: readonly { id: string; createdAt: number; told: { decisionAt: number } }[],
  decidedAt: ReadonlyMap<string, number>,
): number {
  const right = submitted.filter(({ id, createdAt, told }) => {
    const seconds = Math.max(1_000, Number(decidedAt.get(id)) - createdAt)
    const announced = told.decisionAt - createdAt
    return announced <= 2 * seconds && announced >= seconds / 2
  })
  return Math.floor((right.length / submitted.length) * 1_000) / 1_000
}

/** How long after the last decision the model was stopped; null if it was not. */
async function untilIdle(environment: Environment): Promise<number | null> {
  const lastDecisionAt = Math.max(...(await decisionTimes(environment)).values())
  const isIdle = async () => (await stateOf(environment)) === 'idle' && !environment.isModelRunning()
  try {
    await waitFor(isIdle, 'the model to be idle', (idleSeconds + idleSlackSeconds) * 1_000)
    return toSeconds(Date.now() - lastDecisionAt)
  } catch {
    return null
  }
}
