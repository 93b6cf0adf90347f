import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Environment } from '../environment.ts'
import { openDisk } from './power-loss-disk.ts'
import { publishWhile } from './run.ts'

type Options = { fillings: number; losses: number; seconds: number; rate: number }

/**
 * Fills the disk of the page store, and takes its power away, while posts are submitted, edited, deleted and removed.
 * In a power loss the workers die and everything is lost that was not yet written to the disk.
 */
export async function failDisk({ fillings, losses, seconds, rate }: Options) {
  await using disk = await openDisk()
  const disturb = async ({ workers }: Environment, signal: AbortSignal) => {
    const done = { fillings: 0, losses: 0 }
    const fill = async () => {
      await disk.fill()
      await sleep(randomInt(2_000, 10_000))
      disk.empty()
      done.fillings++
    }
    const losePower = async () => {
      const restart = Promise.withResolvers<void>()
      await Promise.all(workers.map((worker) => worker.untilUp()))
      const paused = workers.map((worker) => worker.pauseUntil(restart.promise))
      disk.copy()
      await Promise.all(workers.map((worker) => worker.kill(restart.promise)))
      await disk.restart()
      restart.resolve()
      await Promise.all(paused)
      await Promise.all(workers.map((worker) => worker.untilUp()))
      done.losses++
    }
    const all = shuffle([...Array(fillings).fill(fill), ...Array(losses).fill(losePower)] as (() => Promise<void>)[])
    const startedAt = performance.now()
    for (const [at, one] of all.entries()) {
      const dueMs = startedAt + ((at + 0.5) * seconds * 1_000) / all.length - performance.now()
      // All of them, even if a slow machine has submitted all posts before.
      await sleep(Math.max(0, dueMs), undefined, { signal }).catch(() => {})
      await one()
    }
    return done
  }
  // Not without `await`: the disk would be unmounted before the run.
  return await publishWhile({ posts: seconds * rate, rate }, disturb, { pagesDirectory: disk.mountPoint })
}

function shuffle<Item>(items: Item[]): Item[] {
  for (let last = items.length - 1; last > 0; last--) {
    const other = randomInt(last + 1)
    const [one, two] = [items[last] as Item, items[other] as Item]
    items[last] = two
    items[other] = one
  }
  return items
}
