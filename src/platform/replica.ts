import { sql } from 'kysely'
import type { Clock } from './clock.ts'
import { connect, type Database, isDatabaseUnavailable, isDeadlock, isStatementTimeout } from './database/database.ts'
import { observeAtScrape, openCounter } from './observability/instruments.ts'
import type { Logger } from './observability/logger.ts'
import { startRepeating } from './repeat.ts'

/** The result of a read, and the time up to which it has everything that was committed. */
export type Reading<Result> = { result: Result; asOf: Date }

/** Reads that may be a little behind. The work only reads, and may run twice. */
export type Reader = { read: <Result>(work: (db: Database) => Promise<Result>) => Promise<Reading<Result>> }

/** Without a replica, everything is read from the primary. */
export const primaryReader = (db: Database, clock: Clock): Reader => ({
  read: async (work) => {
    const asOf = clock.now()
    return { result: await work(db), asOf }
  },
})

export type ReplicaOptions = {
  /** The URL of the replica. */
  url: string
  /** Where beats are written, and where reads go if the replica cannot be used. */
  primary: Database
  fallback: Database
  maxLagSeconds: number
  poolMax: number
  applicationName: string
  statementTimeoutMs?: number
  clock: Clock
  logger: Logger
}

const beatMs = 500

/** Why a read went to the primary. */
type Refusal = 'behind' | 'unreachable' | 'promoted' | 'conflict'

/**
 * Reads from a streaming replica as long as it is at most `maxLagSeconds` behind, and otherwise from the primary. Twice a
 * second the process writes the time to its own row at the primary, and looks which time has arrived at the replica.
 * Positions in the log would not do: a replica that was promoted, or that follows another timeline, has positions too.
 */
export function openReplica(options: ReplicaOptions): Reader & AsyncDisposable {
  const { primary, fallback, clock, logger, maxLagSeconds, poolMax, statementTimeoutMs } = options
  const replica = connect(options.url, {
    ...{ poolMax, applicationName: options.applicationName, acceptsReadOnly: true, writesNothing: true },
    ...(statementTimeoutMs !== undefined && { statementTimeoutMs }),
  })
  const reader = crypto.randomUUID()
  const reads = openCounter('database.replica.reads')
  let state: { asOf: Date } | Refusal = 'unreachable'
  const refusal = (): Refusal | null => {
    if (typeof state === 'string') return state
    return clock.now().getTime() - state.asOf.getTime() > maxLagSeconds * 1_000 ? 'behind' : null
  }
  const change = (next: typeof state) => {
    const before = refusal()
    state = next
    const after = refusal()
    if (before !== after) logger[after ? 'warn' : 'info']({ refusal: after }, 'the use of the replica changed')
  }
  let isTidy = false
  const beat = startRepeating({
    everyMs: beatMs,
    work: async () => {
      const looking = lookAt(replica.db, reader).then(change)
      await Promise.all([writeBeat(primary, reader, clock.now()), looking])
      if (!isTidy) await deleteLeftovers(primary, clock.now())
      isTidy = true
    },
    onError: (error) => {
      if (isReplicaFault(error)) change('unreachable')
      else logger.warn({ error }, 'the replica could not be checked')
    },
  })
  const observing = observeReplica(refusal, () =>
    typeof state === 'string' ? null : clock.now().getTime() - state.asOf.getTime(),
  )
  const atPrimary = primaryReader(fallback, clock)
  return {
    read: async (work) => {
      const refused = refusal()
      if (!refused && typeof state === 'object') {
        const { asOf } = state
        try {
          const result = await work(replica.db)
          reads.add(1, { result: 'replica' })
          return { result, asOf }
        } catch (error) {
          if (!isReplicaFault(error)) throw error
          if (!isDeadlock(error)) change('unreachable')
          reads.add(1, { result: isDeadlock(error) ? 'conflict' : 'unreachable' })
        }
      } else reads.add(1, { result: refused ?? 'unreachable' })
      return await atPrimary.read(work)
    },
    [Symbol.asyncDispose]: async () => {
      observing[Symbol.dispose]()
      await beat[Symbol.asyncDispose]()
      await sql`delete from replica_beats where reader = ${reader}`.execute(primary).catch(() => {})
      await replica[Symbol.asyncDispose]()
    },
  }
}

/** A process that was killed leaves its row, which the next one deletes. */
const leftoverMs = 3_600_000

const deleteLeftovers = (primary: Database, at: Date) =>
  sql`delete from replica_beats where at < ${new Date(at.getTime() - leftoverMs)}`.execute(primary)

async function writeBeat(primary: Database, reader: string, at: Date): Promise<void> {
  await sql`
    insert into replica_beats (reader, at) values (${reader}, ${at})
    on conflict (reader) do update set at = excluded.at`.execute(primary)
}

async function lookAt(replica: Database, reader: string): Promise<{ asOf: Date } | Refusal> {
  const { rows } = await sql<{ is_replica: boolean; at: Date | null }>`
    select pg_is_in_recovery() as is_replica, (select at from replica_beats where reader = ${reader}) as at`.execute(
    replica,
  )
  if (!rows[0]?.is_replica) return 'promoted'
  return rows[0].at ? { asOf: rows[0].at } : 'behind'
}

/** The replica is away, or had to cancel the query to apply a change. A query that took too long would do so again. */
const isReplicaFault = (error: unknown): boolean =>
  isDeadlock(error) || (isDatabaseUnavailable(error) && !isStatementTimeout(error))

function observeReplica(refusal: () => Refusal | null, lagMs: () => number | null): Disposable {
  return observeAtScrape(['database.replica.usable', 'database.replica.lag'], (observe) => {
    observe('database.replica.usable', refusal() ? 0 : 1)
    const lag = lagMs()
    if (lag !== null) observe('database.replica.lag', Math.max(0, lag / 1_000))
  })
}
