import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { Database } from '../../platform/database.ts'
import { aliveSeconds } from './permit.ts'

/** Advisory locks of workers, apart from all others. */
const lockSpace = sql.lit(5_501)

export type WorkerLine = Awaited<ReturnType<typeof openLine>>

/**
 * A connection of its own by which the others know that this worker lives: it holds a lock that PostgreSQL lets go the
 * moment the process dies, however it dies, and not before. Each line is a worker of its own name.
 */
export async function openLine(db: Database) {
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
    acknowledge: (changes: readonly Change[]) => acknowledge(line, id, changes),
    close: async () => {
      closing.resolve()
      await ended
    },
  }
}

/** The machine's time, of the database: whether a worker is dead is no matter of business. */
const aliveTime = sql`pgboss.job_now() + interval '${sql.raw(String(aliveSeconds))} s'`

/** An endpoint that was changed, and how often so far. */
export type Change = { webhook_id: string; changes: number }

async function ask(line: Database, id: string): Promise<Change[] | null> {
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

async function acknowledge(line: Database, id: string, changes: readonly Change[]): Promise<void> {
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
export async function freeLanesOfTheDead(db: Database, at: Date): Promise<void> {
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
export async function signOff(db: Database, id: string, at: Date): Promise<void> {
  await sql`
    with gone as (delete from delivery_workers where id = ${id})
    update delivery_lanes set holder = null, due_at = least(due_at, ${at}::timestamptz)
    where (webhook_id, queue) in (
      select webhook_id, queue from delivery_lanes where holder = ${id} for update skip locked
    )`.execute(db)
}
