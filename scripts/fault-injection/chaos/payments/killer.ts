import { setTimeout as sleep } from 'node:timers/promises'
import type { Random } from '../../../../tooling/random.ts'
import { waitFor } from '../../../../tooling/services/state.ts'
import type { Kept } from '../keep-process.ts'

type Options = {
  victims: readonly Kept[]
  random: Random
  /** The number of started runs. One process is killed per run, spread over the whole time. */
  begun: () => number
  logFolder: string
}

const leastGapMs = 800
/**
 * The maximum number of processes that are down. If processes start slowly, killing each one as soon as it is up would
 * prevent any progress.
 */
const mostDown = 1

/** Kills a random running process at random moments, until it is stopped and has killed one process per run. */
export function startKiller({ victims, random, begun, logFolder }: Options) {
  const startedAt = performance.now()
  const kills: Record<string, number> = {}
  let [count, isOver] = [0, false]
  const killing = (async () => {
    while (!isOver || count < begun()) {
      const gapMs = Math.max(leastGapMs, (performance.now() - startedAt) / Math.max(begun(), 1))
      await sleep(random.below(gapMs))
      if (count >= begun()) continue
      const victim = await findVictim({ victims, random, logFolder, kills })
      kills[victim.command] = (kills[victim.command] ?? 0) + 1
      count++
      await victim.kill()
    }
  })()
  return {
    kills,
    /** Fails when no process starts any more. */
    killing,
    end: () => {
      isOver = true
      return killing
    },
  }
}

type Hunt = Omit<Options, 'begun'> & { kills: Record<string, number> }

/** Kills each kind of process once before any kind twice, so that short runs cover all of them. */
async function findVictim({ victims, random, logFolder, kills }: Hunt): Promise<Kept> {
  let up: readonly Kept[] = []
  const find = async () => {
    up = victims.filter((one) => one.isUp())
    return up.length >= victims.length - mostDown
  }
  await waitFor(find, `a process that could be killed. See ${logFolder}`)
  const fresh = up.filter(({ command }) => !(command in kills))
  return random.pick(fresh.length > 0 ? fresh : up)
}
