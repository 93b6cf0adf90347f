import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { sql } from 'kysely'
import type { Clock } from '../../platform/clock.ts'
import { withAdvisoryLock } from '../../platform/database/advisory-lock.ts'
import { type Database, isDeadlock, isLockTimeout } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import { startRepeating } from '../../platform/repeat.ts'

/** How long a worker may start attempts after it asked for changes to its endpoints. */
export const leaseMs = 1_500
/** How often it asks. */
export const leaseRenewalMs = 400
/**
 * A worker whose machine vanished counts as dead after this. A killed worker is noticed at once: its connection closes.
 */
export const deadAfterSeconds = 6
/** How often dead workers are checked for. */
export const deadWorkerScanMs = 500

/** The key space for the advisory locks of workers. */
const lockSpace = sql.lit(5_501)

export type LeaseConnection = Awaited<ReturnType<typeof openLeaseConnection>>

/**
 * A dedicated connection that proves that this worker is alive: it holds a lock that PostgreSQL releases exactly when
 * the process dies, in whatever way. Each connection is a worker with its own name.
 */
export async function openLeaseConnection(db: Database) {
  const id = randomUUID()
  const opened = Promise.withResolvers<Database>()
  const closing = Promise.withResolvers<void>()
  // The lock is taken before its row exists: a process that finds the row can rely on the lock.
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
    /** Renews the lease and returns the changes since the claim; null if the worker is unknown. */
    ask: () => ask(line, id),
    /** Acknowledges that no more attempts start with the old state of these endpoints. */
    acknowledge: (changes: readonly EndpointChange[]) => acknowledge(line, id, changes),
    close: async () => {
      closing.resolve()
      await ended
    },
  }
}

/** System time of the database: whether a worker is dead does not depend on business time. */
const aliveTime = sql`pgboss.job_now() + interval '${sql.raw(String(deadAfterSeconds))} s'`

/** A changed endpoint, and its number of changes so far. */
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

/** Releases the lanes of dead workers. Their due times are unknown, so they are due now. */
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

/** Removes a worker whose runs have ended. The next scan releases lanes that others have locked at the moment. */
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
   * An endpoint was deleted or got a new secret after its lane was claimed: no attempt may start with the old state.
   */
  onChanged: (webhookId: string) => void
  /** This process was presumed dead, and others have its lanes. */
  onLost: () => void
}

export type WorkerLease = Awaited<ReturnType<typeof startWorkerLease>>

/**
 * This process as a worker: it renews its lease, learns which of its endpoints have changed, and takes over lanes of
 * dead workers. A change to an endpoint waits until no process can use its old state: see `waitUntilWorkersSeeChange`.
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
    // From here on nothing starts with the old state, even if the acknowledgement fails.
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
    // If this fails, the others notice.
    if (line)
      await releaseLease(db, line.id, clock.now()).catch((error) =>
        logger.warn({ error }, 'could not release the worker lease'),
      )
    await line?.close()
  }
  return {
    /** The holder of new claims; undefined while none are allowed. */
    id: () => line?.id,
    /** Whether an attempt may start now. Not while the database cannot be asked for changes. */
    mayBegin: () => performance.now() < permittedUntil,
    /** Continues under another name: lanes claimed under this name are then taken over as if from a dead worker. */
    lose,
    close,
    [Symbol.asyncDispose]: close,
  }
}

const lookMs = 40

/**
 * Waits until no worker uses the state of an endpoint from before its last change. A worker starts an attempt only
 * within `leaseMs` after it asked for changes, so the wait is bounded even for an unresponsive worker.
 */
export async function waitUntilWorkersSeeChange(db: Database, webhookId: string): Promise<void> {
  const start = performance.now()
  while (performance.now() - start < leaseMs && (await isHeldAsItWas(db, webhookId))) await pause(lookMs)
}

/** Workers that hold a lane and have not seen the change, or that have just lost it and may not know yet. */
async function isHeldAsItWas(db: Database, webhookId: string): Promise<boolean> {
  const { rows } = await sql`
    select from delivery_lanes lane join webhooks on webhooks.id = lane.webhook_id
    where lane.webhook_id = ${webhookId} and (
      holder is not null and changes_seen < changes
      or freed_at > pgboss.job_now() - interval '${sql.raw(String(leaseMs))} ms'
    )`.execute(db)
  return rows.length > 0
}
