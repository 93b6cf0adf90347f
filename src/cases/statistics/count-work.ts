import { sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { CaseKind, VerdictId } from '../case-kinds.ts'

/** From `from` (inclusive) to `to` (exclusive). */
export type WorkSpan = { from: Date; to: Date }

export type DecidedCount = { day: string; kind: CaseKind; verdict: VerdictId; count: number }

/** Desk decisions by UTC day, excluding undone ones. */
export async function countDecided(db: Database, { from, to }: WorkSpan): Promise<DecidedCount[]> {
  const { rows } = await sql<DecidedCount>`
    select (decided_at at time zone 'UTC')::date as day, case_kind as kind, verdict, count(*) as count
    from desk_decisions where decided_at >= ${from} and decided_at < ${to} group by 1, 2, 3`.execute(db)
  return rows
}

/** Half took no longer than `median`, and 19 in 20 no longer than `p95`. */
type Spread = { median: number; p95: number }

export type DeskPace = {
  /** From claim to decision, over all staff; null if nothing was decided. */
  seconds: Spread | null
  /** How long decided cases had been open, for each kind with at least one. */
  waited: readonly (Spread & { kind: CaseKind; count: number })[]
}

type PaceRow = {
  /** Null for the row that covers all kinds. */
  kind: CaseKind | null
  count: number
  seconds: [number, number] | null
  waited: [number, number] | null
}

export async function readPace(db: Database, { from, to }: WorkSpan): Promise<DeskPace> {
  const { rows } = await sql<PaceRow>`
    select case_kind as kind, count(*) as count,
      percentile_cont(array[0.5, 0.95]) within group (order by seconds) as seconds,
      percentile_cont(array[0.5, 0.95]) within group (order by extract(epoch from decided_at - opened_at)::float8) as waited
    from (
      select case_kind, seconds, decided_at, ${openedAt} as opened_at from desk_decisions desk
      where decided_at >= ${from} and decided_at < ${to}
    ) decided group by grouping sets ((), (case_kind))`.execute(db)
  const all = rows.find(({ kind }) => kind === null)
  return {
    seconds: all?.seconds ? spread(all.seconds) : null,
    waited: rows.flatMap(({ kind, count, waited }) => (kind && waited ? [{ kind, count, ...spread(waited) }] : [])),
  }
}

const spread = ([median, p95]: [number, number]): Spread => ({ median, p95 })

/** When the case was opened, as in the queue. */
const openedAt = sql`case case_kind
  when 'review' then coalesce(
    (select max(asked.decided_at) from moderation_decisions asked
      where asked.post_id = desk.post_id and asked.edit = desk.edit and asked.outcome = 'review'
        and asked.decided_at <= desk.decided_at),
    (select submitted_at from post_edits where post_edits.post_id = desk.post_id and number = desk.edit),
    (select created_at from posts where posts.id = desk.post_id)
  )
  when 'report' then (
    select opened_at from report_cases
    where report_cases.post_id = desk.post_id and number = split_part(case_key, ':', 3)::smallint
  )
  when 'appeal' then (
    select submitted_at from appeals where appeals.post_id = desk.post_id and appeals.edit = desk.edit
  )
  when 'check' then (select made.decided_at from moderation_decisions made where made.id = split_part(case_key, ':', 2)::bigint)
  when 'audit' then (select sampled_at from audit_samples where decision_id = split_part(case_key, ':', 2)::bigint)
end`

/** How often someone undid a decision. Only the audit log records this. */
export async function countUndone(db: Database, { from, to }: WorkSpan): Promise<number> {
  const { count } = await db
    .selectFrom('audit_log')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('action', '=', sql.lit('case.undo'))
    .where('at', '>=', from)
    .where('at', '<', to)
    .executeTakeFirstOrThrow()
  return count
}

/** Decisions past their undo window that are not applied yet. */
export async function countNotCarriedOut(db: Database, at: Date): Promise<number> {
  const { count } = await db
    .selectFrom('desk_decisions')
    .select((query) => query.fn.countAll<number>().as('count'))
    .where('applied_at', 'is', null)
    .where('due_at', '<=', at)
    .executeTakeFirstOrThrow()
  return count
}
