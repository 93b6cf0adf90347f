import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import { type Database, isDeadlock, isLockTimeout } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/observability/logger.ts'

/** How long after a worker asked for changes of its endpoints it may begin an attempt. */
export const leaseMs = 1_500
/** How often it asks. */
export const leaseRenewalMs = 400
/** A worker whose machine vanished is given up after this. One that was killed is missed at once: its connection closes. */
export const deadAfterSeconds = 6
/** How often it is looked for workers that are no more. */
export const deadWorkerScanMs = 500

/** Advisory locks of workers, apart from all others. */
const lockSpace = sql.lit(5_501)

export type LeaseConnection = Awaited<ReturnType<typeof openLeaseConnection>>

/**
 * A connection of its own by which the others know that this worker lives: it holds a lock that PostgreSQL lets go the
 * moment the process dies, however it dies, and not before. Each line is a worker of its own name.
 */
export async function openLeaseConnection(db: Database) {
  const id = randomUUID()
  const opened = Promise.withResolvers<Database>()
  const closing = Promise.withResolvers<void>()
  const open = db.connection().execute(async (line) => {
    // Before its row is there: whoever finds the row can count on the lock.
    await sql`select pg_advisory_lock(${lockSpace}, hashtext(${id}))`.execute(line)
    try {
      await sql`insert into delivery_workers (id, alive_until) values (${id}, ${aliveTime})`.execute(line)
      opened.resolve(line)
      await closing.promise
    } finally {
      // The connection goes back to the pool, and must not take the lock with it. One that is broken has none.
      await sql`select pg_advisory_unlock(${lockSpace}, hashtext(${id}))`.execute(line).catch(() => {})
    }
  })
  const ended = open.catch((error) => opened.reject(error))
  const line = await opened.promise
  return {
    id,
    /** Says that the worker is alive, and gives what has changed since it was taken; null when the worker is not known. */
    ask: () => ask(line, id),
    /** Says that nothing more begins by what these endpoints were before. */
    acknowledge: (changes: readonly EndpointChange[]) => acknowledge(line, id, changes),
    close: async () => {
      closing.resolve()
      await ended
    },
  }
}

/** The machine's time, of the database: whether a worker is dead is no matter of business. */
const aliveTime = sql`pgboss.job_now() + interval '${sql.raw(String(deadAfterSeconds))} s'`

/** An endpoint that was changed, and how often so far. */
export type EndpointChange = { webhook_id: string; changes: number }

async function ask(line: Database, id: string): Promise<EndpointChange[] | null> {
  const { rows } = await sql<{ webhook_id: string | null; changes: number }>`
    with alive as (
      update delivery_workers set alive_until = ${aliveTime} where id = ${id} returning id
    )
    select lane.webhook_id, webhooks.changes from alive left join (
      delivery_lanes lane join webhooks on webhooks.id = lane.webhook_id and webhooks.changes > lane.changes_seen
    ) on lane.holder = alive.id`.execute(line)
  if (rows.length === 0) return null
  return rows.flatMap(({ webhook_id, changes }) => (webhook_id === null ? [] : [{ webhook_id, changes }]))
}

async function acknowledge(line: Database, id: string, changes: readonly EndpointChange[]): Promise<void> {
  await sql`
    with known as (
      select * from jsonb_to_recordset(${JSON.stringify(changes)}::jsonb) as given(webhook_id text, changes integer)
    ), locked as (
      select webhook_id, queue from delivery_lanes
      where holder = ${id} and webhook_id in (select webhook_id from known)
      order by webhook_id, queue for no key update
    )
    update delivery_lanes lane set changes_seen = known.changes
    from locked join known using (webhook_id)
    where lane.webhook_id = locked.webhook_id and lane.queue = locked.queue`.execute(line)
}

/** Frees the lanes of workers that are no more. What was due in them is not known any more, so they are due now. */
export async function releaseLanesOfDeadWorkers(db: Database, at: Date): Promise<void> {
  await sql`
    delete from delivery_workers
    where alive_until < pgboss.job_now() or pg_try_advisory_xact_lock(${lockSpace}, hashtext(id::text))`.execute(db)
  await sql`
    update delivery_lanes set holder = null, due_at = least(due_at, ${at}::timestamptz), freed_at = pgboss.job_now()
    where (webhook_id, queue) in (
      select webhook_id, queue from delivery_lanes
      where holder is not null and not exists (select from delivery_workers where id = holder)
      for update skip locked
    )`.execute(db)
}

/** Signs a worker off whose runs have ended. Lanes that others have locked just now are freed by the next who looks. */
export async function releaseLease(db: Database, id: string, at: Date): Promise<void> {
  await sql`
    with gone as (delete from delivery_workers where id = ${id})
    update delivery_lanes set holder = null, due_at = least(due_at, ${at}::timestamptz)
    where (webhook_id, queue) in (
      select webhook_id, queue from delivery_lanes where holder = ${id} for update skip locked
    )`.execute(db)
}

type Options = {
  db: Database
  clock: Clock
  logger: Logger
  /** An endpoint was deleted or got a new secret after its lane was taken: nothing more may begin by the old facts. */
  onChanged: (webhookId: string) => void
  /** This process was taken for dead, and its lanes are others'. */
  onLost: () => void
}

export type WorkerLease = Awaited<ReturnType<typeof startWorkerLease>>

/**
 * This process among the workers: it says that it is alive, hears which of its endpoints have changed, and takes lanes
 * from the dead. Whoever changes an endpoint waits until no process can go by the old facts: see await-workers.ts.
 */
export async function startWorkerLease({ db, clock, logger, onChanged, onLost }: Options) {
  let line: LeaseConnection | undefined = await openLeaseConnection(db)
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
    line ??= await openLeaseConnection(db)
    const mine = line
    const askedAt = performance.now()
    const changed = await mine.ask()
    if (!changed) return lose(mine.id)
    for (const { webhook_id } of changed) onChanged(webhook_id)
    // Nothing more begins by the old facts from here on, whether or not the others can be told.
    if (line === mine) permittedUntil = askedAt + leaseMs
    if (changed.length > 0) await mine.acknowledge(changed)
  }
  await beat().catch(async (error) => {
    await lose(line?.id)
    throw error
  })
  const beating = repeat(beat, leaseRenewalMs, async (error) => {
    logger.warn({ error }, 'a worker could not say that it is alive')
    if (!isDeadlock(error) && !isLockTimeout(error)) await lose(line?.id)
  })
  const looking = repeat(
    () => releaseLanesOfDeadWorkers(db, clock.now()),
    deadWorkerScanMs,
    async (error) => logger.warn({ error }, 'it could not be looked for dead workers'),
  )
  const close = async () => {
    await Promise.all([beating.stop(), looking.stop()])
    // Should this fail, the others find out.
    if (line)
      await releaseLease(db, line.id, clock.now()).catch((error) =>
        logger.warn({ error }, 'a worker could not sign off'),
      )
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

const lookMs = 40

/**
 * Waits until no worker goes by what an endpoint was before its last change. A worker begins an attempt only within
 * `leaseMs` after it asked for changes, so that even one that nobody hears of any more is waited for no longer.
 */
export async function waitUntilWorkersSeeChange(db: Database, webhookId: string): Promise<void> {
  const start = performance.now()
  while (performance.now() - start < leaseMs && (await isHeldAsItWas(db, webhookId))) await pause(lookMs)
}

/** By whoever holds a lane and has not heard of the change, or by whoever has just lost it and may not know that yet. */
async function isHeldAsItWas(db: Database, webhookId: string): Promise<boolean> {
  const { rows } = await sql`
    select from delivery_lanes lane join webhooks on webhooks.id = lane.webhook_id
    where lane.webhook_id = ${webhookId} and (
      holder is not null and changes_seen < changes
      or freed_at > pgboss.job_now() - interval '${sql.raw(String(leaseMs))} ms'
    )`.execute(db)
  return rows.length > 0
}
