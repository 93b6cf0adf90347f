import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import { withAdvisoryLock } from '../../platform/database/advisory-lock.ts'
import { type Database, isDeadlock, isLockTimeout } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import { startRepeating } from '../../platform/repeat.ts'

/** How long a worker may start attempts after it checked its endpoints for changes. */
export const leaseMs = 1_500
/** How often a worker checks and renews its lease. */
export const leaseRenewalMs = 400
/**
 * A worker whose machine vanished counts as dead after this time. A killed worker is detected immediately, because its
 * connection closes.
 */
export const deadAfterSeconds = 6
/** How often each worker looks for dead workers. */
export const deadWorkerScanMs = 500

/** The key space for the advisory locks of workers. */
const lockSpace = sql.lit(5_501)

export type LeaseConnection = Awaited<ReturnType<typeof openLeaseConnection>>

/**
 * A dedicated connection that proves that this worker is alive: PostgreSQL releases its advisory lock when the process
 * dies for any reason. Each connection is a worker with its own id.
 */
export async function openLeaseConnection(db: Database) {
  const id = randomUUID()
  const opened = Promise.withResolvers<Database>()
  const closing = Promise.withResolvers<void>()
  // Locked before the row exists, so that a process that finds the row can rely on the lock.
  const register = async (line: Database) => {
    await sql`insert into delivery_workers (id, alive_until) values (${id}, ${aliveTime})`.execute(line)
    opened.resolve(line)
    await closing.promise
  }
  const holding = withAdvisoryLock(db, sql`${lockSpace}, hashtext(${id})`, register, () => {
    throw new Error('the lock of a new worker is taken')
  })
  const ended = holding.catch((error) => opened.reject(error))
  const line = await opened.promise
  return {
    id,
    /**
     * Renews the lease and returns the endpoints that changed since they were claimed; null if the worker's row is
     * gone.
     */
    ask: () => ask(line, id),
    /** Confirms that no more attempts start with the old state of these endpoints. */
    acknowledge: (changes: readonly EndpointChange[]) => acknowledge(line, id, changes),
    close: async () => {
      closing.resolve()
      await ended
    },
  }
}

/** Uses the database's system time, because whether a worker is dead does not depend on business time. */
const aliveTime = sql`pgboss.job_now() + interval '${sql.raw(String(deadAfterSeconds))} s'`

/** A changed endpoint and its total number of changes. */
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

/**
 * Releases the lanes of dead workers. Their due times are unknown, so they are due now. The statement sees the workers
 * as they were before it deleted any.
 */
export async function releaseLanesOfDeadWorkers(db: Database, at: Date): Promise<void> {
  await sql`
    with dead as (
      delete from delivery_workers
      where alive_until < pgboss.job_now() or pg_try_advisory_xact_lock(${lockSpace}, hashtext(id::text))
      returning id
    )
    update delivery_lanes set holder = null, due_at = least(due_at, ${at}::timestamptz), freed_at = pgboss.job_now()
    where (webhook_id, queue) in (
      select webhook_id, queue from delivery_lanes
      where holder is not null and (
        holder in (select id from dead) or not exists (select from delivery_workers where id = holder)
      )
      for update skip locked
    )`.execute(db)
}

/**
 * Removes a worker whose runs have ended. Lanes that other transactions have locked are released by the next
 * dead-worker scan.
 */
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
  /**
   * Called when an endpoint was deleted or got a new secret after its lane was claimed. No attempt may start with the
   * old state.
   */
  onChanged: (webhookId: string) => void
  /** Called when this worker has lost its lease. Other workers take over its lanes. */
  onLost: () => void
}

export type WorkerLease = Awaited<ReturnType<typeof startWorkerLease>>

/**
 * Makes this process a worker: it renews its lease, learns which of its endpoints changed, and releases the lanes of
 * dead workers. An API call that changes an endpoint waits until no worker uses the old state: see
 * `waitUntilWorkersSeeChange`.
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
    // `onChanged` has stopped all runs with the old state, so attempts may start even if the acknowledgement fails.
    if (line === mine) permittedUntil = askedAt + leaseMs
    if (changed.length > 0) await mine.acknowledge(changed)
  }
  await beat().catch(async (error) => {
    await lose(line?.id)
    throw error
  })
  const renewing = startRepeating({
    everyMs: leaseRenewalMs,
    waitsFirst: true,
    work: beat,
    onError: async (error) => {
      logger.warn({ error }, 'could not renew the worker lease')
      if (!isDeadlock(error) && !isLockTimeout(error)) await lose(line?.id)
    },
  })
  const scanning = startRepeating({
    everyMs: deadWorkerScanMs,
    waitsFirst: true,
    work: () => releaseLanesOfDeadWorkers(db, clock.now()),
    onError: (error) => logger.warn({ error }, 'dead-worker scan failed'),
  })
  const close = async () => {
    await Promise.all([renewing[Symbol.asyncDispose](), scanning[Symbol.asyncDispose]()])
    // If this fails, other workers detect that this one is dead.
    if (line)
      await releaseLease(db, line.id, clock.now()).catch((error) =>
        logger.warn({ error }, 'could not release the worker lease'),
      )
    await line?.close()
  }
  return {
    /** The worker id for new claims; undefined while no claims are allowed. */
    id: () => line?.id,
    /** Whether an attempt may start now. False while the worker cannot check for changes. */
    mayBegin: () => performance.now() < permittedUntil,
    /**
     * Gives up the lease. The process continues with a new worker id, and the lanes claimed with this id are taken
     * over.
     */
    lose,
    close,
    [Symbol.asyncDispose]: close,
  }
}

const lookMs = 40

/**
 * Waits until no worker uses the state of an endpoint from before its last change. A worker starts attempts only within
 * `leaseMs` after it checked for changes, so the wait is bounded even for an unresponsive worker.
 */
export async function waitUntilWorkersSeeChange(db: Database, webhookId: string): Promise<void> {
  const start = performance.now()
  while (performance.now() - start < leaseMs && (await isHeldAsItWas(db, webhookId))) await pause(lookMs)
}

/** Whether a worker has claimed a lane and has not seen the change, or has just lost a lane and may not know yet. */
async function isHeldAsItWas(db: Database, webhookId: string): Promise<boolean> {
  const { rows } = await sql`
    select from delivery_lanes lane join webhooks on webhooks.id = lane.webhook_id
    where lane.webhook_id = ${webhookId} and (
      holder is not null and changes_seen < changes
      or freed_at > pgboss.job_now() - interval '${sql.raw(String(leaseMs))} ms'
    )`.execute(db)
  return rows.length > 0
}
