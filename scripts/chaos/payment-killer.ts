import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../fuzz/random.ts'
import { waitFor } from '../services/state.ts'
import type { Kept } from './keep-process.ts'

type Options = {
  victims: readonly Kept[]
  random: Random
  /** How many runs have begun. As many processes are killed, over the whole time. */
  begun: () => number
}

const firstGapMs = 800

/** Kills a random process that is up at random moments, until it is told to end and has killed as many as runs have begun. */
export function startKiller({ victims, random, begun }: Options) {
  const startedAt = performance.now()
  const kills: Record<string, number> = {}
  let [count, isOver] = [0, false]
  const killing = (async () => {
    while (!isOver || count < begun()) {
      // One that has fallen behind is faster for a while.
      const gapMs = count === 0 ? firstGapMs : (performance.now() - startedAt) / Math.max(begun(), 1)
      await sleep(random.below(count < begun() ? gapMs : 2 * gapMs))
      const victim = await findVictim(victims, random)
      kills[victim.command] = (kills[victim.command] ?? 0) + 1
      count++
      await victim.kill()
    }
  })()
  return {
    kills,
    end: () => {
      isOver = true
      return killing
    },
  }
}

async function findVictim(victims: readonly Kept[], random: Random): Promise<Kept> {
  let up: readonly Kept[] = []
  const find = async () => {
    up = victims.filter((one) => one.isUp())
    return up.length > 0
  }
  await waitFor(find, 'a process that could be killed', 60_000)
  return random.pick(up)
}
