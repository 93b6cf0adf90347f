import { setTimeout as sleep } from 'node:timers/promises'
import { showProgress } from '../../src/bin/progress.ts'
import { answers } from '../services/stack.ts'
import { waitFor } from '../services/state.ts'
import { inspect, priceMicros } from './inspect.ts'
import type { SwitchMode } from './model-switch.ts'
import { countOutcomes, countStatuses, decisionTimes, settleMs, toSeconds, untilSettled } from './outcomes.ts'
import { openStage, type Stage, type StageOptions } from './stage.ts'
import { openTraffic, submitAll } from './traffic.ts'

type Fault = {
  driver: StageOptions['driver']
  /** Done when the model is back; says how it came back. */
  strike: (stage: Stage) => Promise<string>
}

export type FaultName = keyof typeof faults

const faults = {
  killed: { driver: 'command', strike: (stage) => signalModel(stage, 'SIGKILL') },
  stopped: { driver: 'command', strike: (stage) => signalModel(stage, 'SIGSTOP') },
  refusing: { driver: 'always-on', strike: (stage) => switchFor(stage, 'refuse') },
  hanging: { driver: 'always-on', strike: (stage) => switchFor(stage, 'hang') },
  nonsense: { driver: 'always-on', strike: (stage) => switchFor(stage, 'nonsense') },
} satisfies Record<string, Fault>

export const faultNames = Object.keys(faults) as FaultName[]

/** So slow that the middle of the queue can be met. */
const answerDelayMs = 500
const accountCount = 4
const clients = 16
const outageMs = 15_000

/** The model fails in the middle of a queue: all posts are decided soon after its return, once, and none by nonsense. */
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
  await using stage = await openStage({ driver: fault.driver, workers: 2, answerDelayMs })
  const accounts = await stage.createAccounts(accountCount, posts * priceMicros)
  const traffic = openTraffic({ baseUrl: stage.baseUrl, accounts })
  await submitAll(traffic, { posts, clients })
  await stage.startWorkers()
  const show = showProgress(`${name}: decided`)
  const isMidway = async () => {
    const { decided } = await countOutcomes(stage)
    return decided >= posts / 3
  }
  await waitFor(isMidway, 'the middle of the queue')
  const { decided: decidedBefore } = await countOutcomes(stage)
  const struckAt = performance.now()
  const broughtBackBy = await fault.strike(stage)
  const returnedAt = { measured: performance.now(), clock: Date.now() }
  const { decided: decidedByReturn } = await countOutcomes(stage)
  const onLook = (decided: number) => show(Math.min(decided, posts - 1), posts)
  const isSettled = await untilSettled(stage, { withinMs: settleMs, onLook })
  show(posts, posts)
  const lastDecisionAt = Math.max(...(await decisionTimes(stage)).values())
  const broken = await inspect(stage, traffic)
  if (!isSettled) broken.push(`posts or jobs still wait ${settleMs / 1_000} s after the model’s return`)
  const { published = 0, review = 0 } = await countStatuses(stage)
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
    ...stage.logsIf(broken.length > 0),
    broken,
  }
}

async function signalModel({ modelStarts, modelUrl }: Stage, signal: 'SIGKILL' | 'SIGSTOP'): Promise<string> {
  const starts = modelStarts()
  const pid = starts.at(-1)
  if (!pid) throw new Error('the model has not been started')
  process.kill(pid, signal)
  const isBack = async () => modelStarts().length > starts.length && (await answers(`${modelUrl}/healthz`))
  try {
    await waitFor(isBack, 'another model')
    return 'the controller'
  } catch {
    // The controller has not brought it back: the script lets it go on.
    process.kill(pid, 'SIGCONT')
    await waitFor(() => answers(`${modelUrl}/healthz`), 'the model to go on')
    return 'the script'
  }
}

async function switchFor({ modelSwitch }: Stage, mode: SwitchMode): Promise<string> {
  await modelSwitch.turnTo(mode)
  await sleep(outageMs)
  await modelSwitch.turnTo('pass')
  return 'the script'
}
