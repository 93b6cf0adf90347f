import { CompiledQuery } from 'kysely'
import { afterCommit, type Transaction } from '../platform/database/database.ts'
import { currentTraceparent } from '../platform/observability/tracing.ts'
import { type JobName, type JobPayload, jobNamed, jobNames } from './jobs.ts'
import { queueOptions } from './queues.ts'
import { wakeWorkers } from './wake-workers.ts'

type EnqueueOptions = {
  /** A key. Adds nothing while a job with the same key waits for its first run. */
  once?: string | undefined
  /** A time by the system clock, which the queue uses, and not by the business clock, which a test can move. */
  startAfter?: Date | undefined
  /** The job's account and its amount of work. In shared queues, accounts take turns, regardless of the jobs' age. */
  share?: AccountShare | undefined
}

export type AccountShare = { account: string; windows: number }

/**
 * Adds a job in the caller's transaction. Workers are woken after it has committed. If it rolls back, there is no job.
 */
export async function enqueue<Name extends JobName>(
  tx: Transaction,
  name: Name,
  payload: JobPayload<Name>,
  { once, startAfter, share }: EnqueueOptions = {},
): Promise<void> {
  await add(tx, name, { payloads: [payload], keys: [once ?? null], startAfter: startAfter ?? null, share })
}

/**
 * Adds many jobs with a short delay, each only if the same one is not already waiting. So changes during the delay add
 * no further job. They are added in the order of their keys: of two transactions that add the same ones, the second waits
 * for the first, and neither waits for something that the other will add later.
 */
export async function enqueueSoon<Name extends JobName>(
  tx: Transaction,
  name: Name,
  jobs: readonly { payload: JobPayload<Name>; once: string; delaySeconds: number }[],
): Promise<void> {
  if (jobs.length === 0) return
  const inOrder = jobs.toSorted((one, other) => Number(one.once > other.once) - Number(one.once < other.once))
  const added = {
    payloads: inOrder.map(({ payload }) => payload),
    keys: inOrder.map(({ once }) => once),
    delays: inOrder.map(({ delaySeconds }) => delaySeconds),
  }
  await add(tx, name, added)
}

type Added = {
  payloads: object[]
  keys: (string | null)[]
  startAfter?: Date | null
  delays?: number[]
  share?: AccountShare | undefined
}

async function add(tx: Transaction, name: JobName, { payloads, keys, startAfter = null, delays = [0], share }: Added) {
  const shared = jobNamed(name).isShared ? [share?.account ?? null, share?.windows ?? null] : []
  // The worker goes on with the trace of the request or job that enqueued this one.
  const traceparent = currentTraceparent()
  const traced = payloads.map((payload) => JSON.stringify({ ...payload, ...(traceparent && { traceparent }) }))
  const values = [traced, keys, startAfter, delays, ...shared]
  const { rows } = await tx.executeQuery(CompiledQuery.raw(statements[name], values))
  if (rows.length > 0) afterCommit(tx, (db) => wakeWorkers(db, name))
}

/**
 * Does the same as pg-boss's `send` in one statement that is planned only once. pg-boss generates a different text for
 * each queue, reads the queue's row and expands a JSON document. A test checks that both create the same row.
 */
function statementFor(name: JobName): string {
  const options = queueOptions(name)
  const { isShared = false } = jobNamed(name)
  // pg-boss allows one waiting job per key for the policy `short`; otherwise the queue's policy applies.
  const policy =
    options.policy === 'standard' ? `case when once is null then 'standard' else 'short' end` : `'${options.policy}'`
  return `
    with added as (
      insert into pgboss.job_common (
        name, data, singleton_key, policy, start_after, keep_until, expire_seconds, deletion_seconds,
        heartbeat_seconds, retry_limit, retry_delay, retry_backoff, retry_delay_max${isShared ? ', priority, group_id, group_tier' : ''}
      )
      select '${name}', payload::jsonb, once, ${policy}, start, start + interval '${options.retentionSeconds} s',
        ${options.expireInSeconds}, ${options.deleteAfterSeconds}, ${options.heartbeatSeconds},
        ${options.retryLimit}, ${options.retryDelay}, ${options.retryBackoff}, ${options.retryDelayMax}${isShared ? `, ${priorityFor(name)}, $5::text, $6::int::text` : ''}
      from unnest($1::text[], $2::text[], $4::float[]) as given(payload, once, delay),
        coalesce($3::timestamptz, pgboss.job_now() + delay * interval '1 s') as start
      on conflict do nothing
      returning start_after
    )
    select 1 from added where start_after <= pgboss.job_now() limit 1`
}

/**
 * Fair queueing. A job's turn is the turn of its account's last job, or the current turn if the account has none, plus
 * its own windows; lower turns run first. So an account waits behind one job of each other account, however many jobs
 * they have. The turn is stored as a negative priority, by which pg-boss selects jobs, and the windows in `group_tier`,
 * for estimates. Turns restart at 0 when no jobs are waiting.
 */
const priorityFor = (name: JobName): string => `
        case when $5::text is null then 0 else -least(2000000000, $6::int + greatest(
          (select -min(priority) from pgboss.job_common
            where name = '${name}' and group_id = $5 and state < 'completed'),
          coalesce(
            (select -min(priority) from pgboss.job_common
              where name = '${name}' and state = 'active' and group_id is not null),
            (select -priority from pgboss.job_common
              where name = '${name}' and state < 'active' and not blocked order by priority desc limit 1),
            0))) end`

const statements = Object.fromEntries(jobNames.map((name) => [name, statementFor(name)])) as Record<JobName, string>
