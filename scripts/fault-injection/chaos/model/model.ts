import { setTimeout as sleep } from 'node:timers/promises'
import { showProgress } from '../../../../src/bin/progress.ts'
import { answers } from '../../../../tooling/services/stack.ts'
import { waitFor } from '../../../../tooling/services/state.ts'
import { type Environment, type EnvironmentOptions, openEnvironment } from '../environment.ts'
import { countOutcomes, countStatuses, decisionTimes, settleMs, toSeconds, untilSettled } from '../outcomes.ts'
import { openTraffic, submitAll } from '../traffic.ts'
import { inspect, priceMicros } from '../verify-posts.ts'
import type { SwitchMode } from './model-switch.ts'

type Fault = {
  driver: EnvironmentOptions['driver']
  /** Waits until the model is back, and returns how it came back. */
  strike: (environment: Environment) => Promise<string>
}

export type FaultName = keyof typeof faults

const faults = {
  killed: { driver: 'command', strike: (environment) => signalModel(environment, 'SIGKILL') },
  stopped: { driver: 'command', strike: (environment) => signalModel(environment, 'SIGSTOP') },
  refusing: { driver: 'always-on', strike: (environment) => switchFor(environment, 'refuse') },
  hanging: { driver: 'always-on', strike: (environment) => switchFor(environment, 'hang') },
  nonsense: { driver: 'always-on', strike: (environment) => switchFor(environment, 'nonsense') },
} satisfies Record<string, Fault>

export const faultNames = Object.keys(faults) as FaultName[]

/** Slow enough that the fault happens in the middle of the queue. */
const answerDelayMs = 500
const accountCount = 4
const clients = 16
const outageMs = 15_000

/**
 * The model fails in the middle of a queue. When it is back, all posts must be decided soon, once, and none based on
 * nonsense.
 */
export async function breakModel({ posts, only = faultNames }: { posts: number; only?: readonly FaultName[] }) {
  const startedAt = performance.now()
  const results: Awaited<ReturnType<typeof breakOnce>>[] = []
  for (const name of only) results.push(await breakOnce(name, posts))
  return {
    faults: results,
    seconds: toSeconds(performance.now() - startedAt),
    broken: results.flatMap(({ fault, broken }) => broken.map((one) => `${fault}: ${one}`)),
  }
}

async function breakOnce(name: FaultName, posts: number) {
  const fault: Fault = faults[name]
  await using environment = await openEnvironment({ driver: fault.driver, workers: 2, answerDelayMs })
  const accounts = await environment.createAccounts(accountCount, posts * priceMicros)
  const traffic = openTraffic({ baseUrl: environment.baseUrl, accounts })
  await submitAll(traffic, { posts, clients })
  await environment.startWorkers()
  const show = showProgress(`${name}: decided`)
  const isMidway = async () => {
    const { decided } = await countOutcomes(environment)
    return decided >= posts / 3
  }
  await waitFor(isMidway, 'the middle of the queue')
  const { decided: decidedBefore } = await countOutcomes(environment)
  const struckAt = performance.now()
  const broughtBackBy = await fault.strike(environment)
  const returnedAt = { measured: performance.now(), clock: Date.now() }
  const { decided: decidedByReturn } = await countOutcomes(environment)
  const onLook = (decided: number) => show(Math.min(decided, posts - 1), posts)
  const isSettled = await untilSettled(environment, { withinMs: settleMs, onLook })
  show(posts, posts)
  const lastDecisionAt = Math.max(...(await decisionTimes(environment)).values())
  const broken = await inspect(environment, traffic)
  if (!isSettled) broken.push(`posts or jobs are still waiting ${settleMs / 1_000} s after the model came back`)
  const { published = 0, review = 0 } = await countStatuses(environment)
  return {
    fault: name,
    posts,
    brought_back_by: broughtBackBy,
    seconds_away: toSeconds(returnedAt.measured - struckAt),
    decided_before: decidedBefore,
    decided_by_return: decidedByReturn,
    seconds_from_return_to_last_decision: toSeconds(Math.max(0, lastDecisionAt - returnedAt.clock)),
    published,
    review,
    ...environment.logsIf(broken.length > 0),
    broken,
  }
}

async function signalModel({ modelStarts, modelUrl }: Environment, signal: 'SIGKILL' | 'SIGSTOP'): Promise<string> {
  const starts = modelStarts()
  const pid = starts.at(-1)
  if (!pid) throw new Error('the model was not started')
  process.kill(pid, signal)
  const isBack = async () => modelStarts().length > starts.length && (await answers(`${modelUrl}/healthz`))
  try {
    await waitFor(isBack, 'another model')
    return 'the controller'
  } catch {
    // The controller has not restarted it, so the script resumes it.
    process.kill(pid, 'SIGCONT')
    await waitFor(() => answers(`${modelUrl}/healthz`), 'the model to go on')
    return 'the script'
  }
}

async function switchFor({ modelSwitch }: Environment, mode: SwitchMode): Promise<string> {
  await modelSwitch.turnTo(mode)
  await sleep(outageMs)
  await modelSwitch.turnTo('pass')
  return 'the script'
}
