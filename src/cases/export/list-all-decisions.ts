import { sql } from 'kysely'
import {
  type DecisionRange,
  type ListedModerationDecision,
  listModerationDecisions,
} from '../../moderation/statistics/list-decisions.ts'
import type { Database } from '../../platform/database/database.ts'
import { staffActor } from '../../staff/audit-log.ts'
import type { CaseKind, VerdictId } from '../case-kinds.ts'

/** A verdict given at the desk, whether or not it changed a post. */
export type DeskDecision = {
  source: 'desk'
  /** The case key. `check:<id>` and `audit:<id>` contain the id of the model's decision. */
  case: string
  case_kind: CaseKind
  post_id: string
  /** 0 for the post itself. */
  edit: number
  kind: string
  verdict: VerdictId
  category: string | null
  /** From claim to decision. */
  seconds: number
  /** Null until the decision is applied, like `applied_at`. */
  effect: 'done' | 'nothing_to_do' | null
  /** `staff:<id>`. */
  decided_by: string
  decided_at: string
  applied_at: string | null
}

/** UTC days such as 2026-11-01, both inclusive. A missing day means no bound. */
export type DecisionDays = { since?: string | undefined; until?: string | undefined }

/**
 * Every decision in a range of days, oldest first, without user text, in bounded memory. A desk decision that changed a
 * post appears twice: as the verdict and as the moderation decision.
 */
export async function* listAllDecisions(
  db: Database,
  days: DecisionDays,
): AsyncGenerator<ListedModerationDecision | DeskDecision> {
  const range = rangeOf(days)
  const [onPosts, atDesk] = [listModerationDecisions(db, range), listDeskDecisions(db, range)]
  let [made, answered] = [await onPosts.next(), await atDesk.next()]
  while (!made.done || !answered.done) {
    if (!answered.done && (made.done || answered.value.decided_at <= made.value.decided_at)) {
      yield answered.value
      answered = await atDesk.next()
    } else if (!made.done) {
      yield made.value
      made = await onPosts.next()
    }
  }
}

/** The total number, for progress output. */
export async function countAllDecisions(db: Database, days: DecisionDays): Promise<number> {
  const { since = null, until = null } = rangeOf(days)
  const within = sql`decided_at >= coalesce(${since}::timestamptz, '-infinity') and decided_at < coalesce(${until}::timestamptz, 'infinity')`
  const { rows } = await sql<{ count: number }>`
    select (select count(*) from moderation_decisions where ${within})
      + (select count(*) from desk_decisions where ${within}) as count`.execute(db)
  return rows[0]?.count ?? 0
}

function rangeOf({ since, until }: DecisionDays): DecisionRange {
  return {
    since: since === undefined ? undefined : new Date(since),
    until: until === undefined ? undefined : new Date(new Date(until).getTime() + 86_400_000),
  }
}

const batch = 1_000

async function* listDeskDecisions(db: Database, { since, until }: DecisionRange): AsyncGenerator<DeskDecision> {
  let after = { place: (since ?? new Date(0)).toISOString(), case: '' }
  for (;;) {
    const rows = await readBatch(db, after, until ?? null)
    for (const row of rows) yield listed(row)
    const last = rows.at(-1)
    if (!last || rows.length < batch) return
    after = last
  }
}

type Row = Omit<DeskDecision, 'source' | 'decided_by' | 'decided_at' | 'applied_at'> & {
  staff_id: string
  decided_at: Date
  /** `decided_at` with microseconds, as the database sorts it. */
  place: string
  applied_at: Date | null
}

async function readBatch(db: Database, after: { place: string; case: string }, until: Date | null): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select one.case_key as case, one.case_kind, one.post_id, one.edit, posts.kind, one.verdict, one.category, one.seconds,
      one.effect, one.staff_id, one.decided_at, one.decided_at::text as place, one.applied_at
    from desk_decisions one join posts on posts.id = one.post_id
    where (one.decided_at, one.case_key) > (${after.place}::timestamptz, ${after.case})
      and (${until}::timestamptz is null or one.decided_at < ${until})
    order by one.decided_at, one.case_key limit ${sql.lit(batch)}`.execute(db)
  return rows
}

function listed({ staff_id, place: _, decided_at, applied_at, ...plain }: Row): DeskDecision {
  return {
    source: 'desk',
    ...plain,
    decided_by: staffActor(staff_id),
    decided_at: decided_at.toISOString(),
    applied_at: applied_at?.toISOString() ?? null,
  }
}
