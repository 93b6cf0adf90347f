import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../environment.ts'
import { toSeconds } from '../outcomes.ts'
import { publishWhile } from './run.ts'

type Options = { pauses: number; seconds: number; rate: number }

/** From 1 to 40 seconds. Short pauses are more frequent than long ones, as in practice. */
const shortestMs = 1_000
const longestMs = 40_000
const anyDuration = () => shortestMs * (longestMs / shortestMs) ** (randomInt(1_001) / 1_000)

/**
 * Stops processes with SIGSTOP and lets them continue with SIGCONT, as a paused virtual machine or a hung disk would,
 * while posts are submitted, edited, deleted and removed. A process that continues does not know that time has passed.
 */
export const pauseProcesses = ({ pauses, seconds, rate }: Options) =>
  publishWhile({ posts: seconds * rate, rate }, (environment, signal) =>
    pauseInTurn(environment, signal, { pauses, gapMs: (seconds * 1_000) / pauses }),
  )

async function pauseInTurn(
  { apis, workers, models, gateway }: Environment,
  signal: AbortSignal,
  { pauses, gapMs }: { pauses: number; gapMs: number },
) {
  const victims = [...apis, ...workers, ...models, gateway]
  const paused = new Set<(typeof victims)[number]>()
  const running = new Set<Promise<void>>()
  const made: { command: string; duration: number }[] = []
  const startedAt = performance.now()
  for (let number = 0; number < pauses; number++) {
    await sleep(Math.max(0, startedAt + number * gapMs - performance.now()), undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    const free = victims.filter((one) => !paused.has(one))
    const victim = free[randomInt(Math.max(free.length, 1))]
    if (!victim) continue
    const duration = anyDuration()
    paused.add(victim)
    made.push({ command: victim.command, duration })
    const work: Promise<void> = victim.pause(duration).finally(() => {
      paused.delete(victim)
      running.delete(work)
    })
    running.add(work)
  }
  await Promise.all(running)
  const byCommand = Map.groupBy(made, ({ command }) => command)
  return {
    pauses: made.length,
    pauses_of: Object.fromEntries([...byCommand].map(([command, all]) => [command, all.length])),
    longest_pause_seconds: toSeconds(Math.max(0, ...made.map(({ duration }) => duration))),
  }
}
