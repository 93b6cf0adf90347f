import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

/** From one second to the given number. Short ones are more frequent than long ones, as in practice. */
export const anyDuration = (longestSeconds: number) => Math.round(1_000 * longestSeconds ** (randomInt(1_001) / 1_000))

/** Something that can happen to one process or connection, and ends by itself. */
export type Disturbance = { name: string; run: () => Promise<void> }

type Turns = { count: number; gapMs: number; signal: AbortSignal }

/**
 * Starts a random disturbance after each gap. Several may run at the same time, but not the same one twice. Resolves
 * with the number of each when all have ended.
 */
export async function disturbInTurn(all: readonly Disturbance[], { count, gapMs, signal }: Turns) {
  const running = new Map<Disturbance, Promise<void>>()
  const counts: Record<string, number> = {}
  const startedAt = performance.now()
  for (let number = 0; number < count; number++) {
    await sleep(Math.max(0, startedAt + number * gapMs - performance.now()), undefined, { signal }).catch(() => {})
    if (signal.aborted) break
    const free = all.filter((one) => !running.has(one))
    const chosen = free[randomInt(Math.max(free.length, 1))]
    if (!chosen) continue
    counts[chosen.name] = (counts[chosen.name] ?? 0) + 1
    running.set(
      chosen,
      chosen.run().finally(() => running.delete(chosen)),
    )
  }
  await Promise.all(running.values())
  return counts
}
