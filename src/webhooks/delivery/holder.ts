import type { Clock } from '../../platform/clock.ts'
import { type Database, isDeadlock, isLockTimeout } from '../../platform/database.ts'
import type { Logger } from '../../platform/logger.ts'
import { beatMs, lookForDeadMs, permitMs } from './permit.ts'
import { freeLanesOfTheDead, openLine, signOff, type WorkerLine } from './worker-line.ts'

type Options = {
  db: Database
  clock: Clock
  logger: Logger
  /** An endpoint was deleted or got a new secret after its lane was taken: nothing more may begin by the old facts. */
  onChanged: (webhookId: string) => void
  /** This process was taken for dead, and its lanes are others'. */
  onLost: () => void
}

export type Holder = Awaited<ReturnType<typeof startHolder>>

/**
 * This process among the workers: it says that it is alive, hears which of its endpoints have changed, and takes lanes
 * from the dead. Whoever changes an endpoint waits until no process can go by the old facts: see await-workers.ts.
 */
export async function startHolder({ db, clock, logger, onChanged, onLost }: Options) {
  let line: WorkerLine | undefined = await openLine(db)
  let permittedUntil = 0

  const lose = async (id: string | undefined) => {
    const lost = line
    if (!lost || lost.id !== id) return
    permittedUntil = 0
    line = undefined
    onLost()
    await lost.close()
  }
  const beat = async () => {
    line ??= await openLine(db)
    const mine = line
    const askedAt = performance.now()
    const changed = await mine.ask()
    if (!changed) return lose(mine.id)
    for (const { webhook_id } of changed) onChanged(webhook_id)
    // Nothing more begins by the old facts from here on, whether or not the others can be told.
    if (line === mine) permittedUntil = askedAt + permitMs
    if (changed.length > 0) await mine.acknowledge(changed)
  }
  await beat().catch(async (error) => {
    await lose(line?.id)
    throw error
  })
  const beating = repeat(beat, beatMs, async (error) => {
    logger.warn({ error }, 'a worker could not say that it is alive')
    if (!isDeadlock(error) && !isLockTimeout(error)) await lose(line?.id)
  })
  const looking = repeat(
    () => freeLanesOfTheDead(db, clock.now()),
    lookForDeadMs,
    async (error) => logger.warn({ error }, 'it could not be looked for dead workers'),
  )
  const close = async () => {
    await Promise.all([beating.stop(), looking.stop()])
    // Should this fail, the others find out.
    if (line)
      await signOff(db, line.id, clock.now()).catch((error) => logger.warn({ error }, 'a worker could not sign off'))
    await line?.close()
  }
  return {
    /** Who holds what is taken now; undefined while nothing may be. */
    id: () => line?.id,
    /** Whether an attempt may begin now. Not while the database cannot be asked for changes. */
    mayBegin: () => performance.now() < permittedUntil,
    /** Goes on under another name than this: what was taken under it is then taken from it like from the dead. */
    lose,
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Does it again and again, one after the other, until it is stopped. */
function repeat(work: () => Promise<void>, everyMs: number, onError: (error: unknown) => Promise<void>) {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> = Promise.resolve()
  let isStopped = false
  const turn = () => {
    running = work()
      .catch(onError)
      .finally(() => {
        if (!isStopped) timer = setTimeout(turn, everyMs)
      })
  }
  timer = setTimeout(turn, everyMs)
  return {
    stop: async () => {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}
