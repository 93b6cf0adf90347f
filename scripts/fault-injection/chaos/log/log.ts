import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { showProgress } from '../../../../src/bin/progress.ts'
import { connect } from '../../../../src/platform/database/database.ts'
import type { Environment } from '../environment.ts'
import { openDisk } from '../publishing/power-loss-disk.ts'
import { publishWhile } from '../publishing/run.ts'

type Options = { appends: number; kills: number; losses: number; seconds: number; rate: number }

/**
 * Kills workers, and takes the power of the disk with the log's files away, while entries are appended: posts at the
 * given rate, and as many other commitments as it takes to append `appends` entries.
 */
export async function breakLog({ appends, kills, losses, seconds, rate }: Options) {
  await using disk = await openDisk()
  const disturb = async (environment: Environment, signal: AbortSignal) => {
    const { workers, database } = environment
    const done = { kills: 0, losses: 0 }
    const endsAt = performance.now() + seconds * 1_000
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
      done.losses += 1
    }
    const kill = async () => {
      const up = workers.filter((worker) => worker.isUp())
      await up[randomInt(Math.max(1, up.length))]?.kill()
      done.kills += 1
    }
    const strike = async () => {
      const plan = [...Array(kills).fill(kill), ...Array(losses).fill(losePower)] as (() => Promise<void>)[]
      const pause = (seconds * 1_000) / plan.length
      for (const [at, one] of plan.toSorted(() => Math.random() - 0.5).entries()) {
        const dueMs = endsAt - seconds * 1_000 + (at + 0.5) * pause - performance.now()
        await sleep(Math.max(0, dueMs), undefined, { signal }).catch(() => {})
        await one()
      }
    }
    const [queued] = await Promise.all([queueEntries(database.urls.worker, { appends, seconds }, signal), strike()])
    return { ...done, queued }
  }
  // On a slow machine, restarts take longer than the submissions.
  return await publishWhile({ posts: seconds * rate, rate, endsWith: 'both' }, disturb, {
    pagesDirectory: disk.mountPoint,
  })
}

/**
 * Queues commitments to nothing in particular, in the given time, and returns how many. A call that fails is repeated:
 * the database may be away.
 */
export async function queueEntries(
  workerUrl: string,
  { appends, seconds }: { appends: number; seconds: number },
  signal: AbortSignal,
): Promise<number> {
  await using queue = connect(workerUrl, { poolMax: 1, applicationName: 'chaos' })
  const show = showProgress('entries queued:')
  let queued = 0
  while (queued < appends && !signal.aborted) {
    const count = Math.min(randomInt(1, 40), appends - queued)
    const rows = Array.from({ length: count }, () => ({ type: 'post', commitment: randomBytes(32) }))
    const isDone = await queue.db
      .insertInto('log_queue')
      .values(rows)
      .execute()
      .then(
        () => true,
        () => false,
      )
    if (isDone) queued += count
    show(queued, appends)
    await sleep((count * seconds * 900) / appends)
  }
  return queued
}
