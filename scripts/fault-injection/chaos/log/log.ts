import { randomBytes, randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { showProgress } from '../../../../src/bin/progress.ts'
import { connect } from '../../../../src/platform/database/database.ts'
import { patienceMs } from '../../../../tooling/services/state.ts'
import { startWitness } from '../../../../tooling/transparency/start-witness.ts'
import type { Environment } from '../environment.ts'
import { openDisk } from '../publishing/power-loss-disk.ts'
import { publishWhile } from '../publishing/run.ts'

type Options = { appends: number; kills: number; losses: number; seconds: number; rate: number }

/**
 * Kills workers, and takes the power of the disk with the log's files away, while entries are appended: posts at the
 * given rate, and as many other commitments as it takes to append `appends` entries. A witness cosigns the checkpoints.
 * Every other kill hits all workers just after a cosignature, before the checkpoint is written.
 */
export async function breakLog({ appends, kills, losses, seconds, rate }: Options) {
  await using disk = await openDisk()
  const cosigned: (() => Promise<void>)[] = []
  await using witness = await startWitness({
    logKeyOf: readLogKeyOf,
    // Before the first checkpoint there is nothing that a worker could compare.
    beforeAnswer: async ({ before }) => void (before > 0 && (await cosigned.shift()?.())),
  })
  const disturb = async (environment: Environment, signal: AbortSignal) => {
    const { workers, database } = environment
    const done = { kills: 0, kills_after_cosignature: 0, losses: 0 }
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
    const killAfterCosignature = async () => {
      const isKilled = Promise.withResolvers<void>()
      cosigned.push(async () => {
        await Promise.all(workers.map((worker) => worker.kill()))
        done.kills_after_cosignature += 1
        isKilled.resolve()
      })
      // The entries may all be appended.
      await Promise.race([isKilled.promise, sleep(patienceMs, undefined, { signal, ref: false }).catch(() => {})])
      done.kills += 1
    }
    const kill = async () => {
      if (done.kills % 2 === 0) return killAfterCosignature()
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
    let isStruck = false
    const queueAll = async () => {
      let queued = await queueEntries(database.urls.worker, { appends, seconds }, signal)
      // A kill can wait for a cosignature, which needs another entry.
      while (!isStruck && !signal.aborted)
        queued += await queueEntries(database.urls.worker, { appends: 1, seconds: 1 }, signal)
      return queued
    }
    const strikeAll = () =>
      strike().finally(() => {
        isStruck = true
      })
    const [queued] = await Promise.all([queueAll(), strikeAll()])
    return { ...done, queued }
  }
  // On a slow machine, restarts take longer than the submissions.
  return await publishWhile({ posts: seconds * rate, rate, endsWith: 'both' }, disturb, {
    pagesDirectory: disk.mountPoint,
    settings: { LOG_WITNESSES: `${witness.verifierKey} ${witness.url}` },
  })
}

/** A witness learns the key of a log where readers find it. */
async function readLogKeyOf(origin: string): Promise<string> {
  const host = origin.slice(0, origin.indexOf('/'))
  const response = await fetch(`http://${host}/.well-known/broadside-keys.json`)
  const { logs } = (await response.json()) as { logs: { origin: string; vkey: string }[] }
  return String(logs.find((log) => log.origin === origin)?.vkey)
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
