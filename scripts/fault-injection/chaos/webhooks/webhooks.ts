import { toSeconds } from '../outcomes.ts'
import { type Figures, round } from './figures.ts'
import type { Behaviour, Listener } from './receivers.ts'
import { deliverWhileKilling } from './run.ts'

const accountCount = 10
/** The maximum number of endpoints per account. */
const endpointsPerAccount = 5
const ratioAllowed = 2
/** The number of events after the kills, as a share of those during the kills. */
const calmShare = 0.1

type Options = { events: number; rate: number; workers: number; 'kill-seconds': number }
type RunName = 'without' | 'with'

/**
 * Sends events to 50 endpoints, 15 of which hang, fail or reset the connection, while workers are killed. Repeats this
 * without the failing endpoints. The healthy ones must get every event without much delay.
 */
export async function spreadEvents(
  { 'kill-seconds': killSeconds, ...options }: Options,
  only: readonly RunName[] = ['without', 'with'],
) {
  const startedAt = performance.now()
  // Only the comparison with the second run needs these events.
  const calmEvents = only.length > 1 ? Math.ceil(options.events * calmShare) : 0
  const runs: Partial<Record<RunName, Figures>> = {}
  for (const name of only) {
    const listeners = name === 'with' ? all : all.filter(({ behaviour }) => behaviour === 'healthy')
    runs[name] = await deliverWhileKilling(name, listeners, { ...options, calmEvents, killSeconds })
  }
  const broken = Object.entries(runs).flatMap(([name, run]) => run.broken.map((one) => `${name}: ${one}`))
  const ratio = compare(runs, ({ first_arrival_ms }) => first_arrival_ms.p95)
  if (ratio !== null && ratio > ratioAllowed) broken.push(`with the sick ones p95 is ${ratio} times as long`)
  return {
    ...runs,
    p95_ratio: ratio,
    p95_ratio_without_kills: compare(runs, ({ first_arrival_without_kills_ms }) => first_arrival_without_kills_ms.p95),
    seconds: toSeconds(performance.now() - startedAt),
    broken,
  }
}

function compare(runs: Partial<Record<RunName, Figures>>, of: (figures: Figures) => number): number | null {
  return runs.with && runs.without ? round(of(runs.with) / of(runs.without)) : null
}

/** Every account has one or two failing endpoints, so that every healthy one shares an account with a failing one. */
const sickOnes: readonly Behaviour[][] = [['hangs', 'resets'], ['fails']]
const all = Array.from({ length: accountCount }, (_, account) => {
  const sick = sickOnes[account % sickOnes.length] ?? []
  return Array.from(
    { length: endpointsPerAccount },
    (_, place): Listener => ({ account, behaviour: sick[place] ?? 'healthy' }),
  )
}).flat()
