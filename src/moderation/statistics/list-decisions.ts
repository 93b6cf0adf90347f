import { sql } from 'kysely'
import type { DecisionOutcome } from '../../../generated/database-types.ts'
import type { Database } from '../../platform/database/database.ts'

export type ListedModerationDecision = {
  source: 'moderation'
  id: number
  post_id: string
  /** 0 for the post itself. */
  edit: number
  kind: string
  outcome: DecisionOutcome
  category: string | null
  automated: boolean
  /** The name of a model, `system`, `operator` or `staff:<id>`. */
  decided_by: string
  model: string | null
  model_version: string | null
  policy_version: string
  scores: unknown
  decided_at: string
  /** When the rejection or removal was reversed. */
  overturned_at: string | null
  appeal: { outcome: 'open' | 'upheld' | 'dismissed'; submitted_at: string; decided_at: string | null } | null
}

export type DecisionRange = {
  since?: Date | undefined
  /** Exclusive. */
  until?: Date | undefined
}

const batch = 1_000

/** Lists every decision on posts in a range, oldest first, without user text and in bounded memory. */
export async function* listModerationDecisions(
  db: Database,
  range: DecisionRange,
): AsyncGenerator<ListedModerationDecision> {
  let after = { place: (range.since ?? new Date(0)).toISOString(), id: 0 }
  for (;;) {
    const rows = await readBatch(db, after, range.until ?? null)
    for (const row of rows) yield listed(row)
    const last = rows.at(-1)
    if (!last || rows.length < batch) return
    after = last
  }
}

type Row = Omit<ListedModerationDecision, 'source' | 'decided_by' | 'decided_at' | 'overturned_at' | 'appeal'> & {
  actor: string
  decided_at: Date
  /** The same time with microseconds, by which the database sorts. */
  place: string
  overturned_at: Date | null
  appealed_at: Date | null
  appeal_outcome: 'upheld' | 'dismissed' | null
  appeal_decided_at: Date | null
}

async function readBatch(db: Database, after: { place: string; id: number }, until: Date | null): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select one.id, one.post_id, one.edit, posts.kind, one.outcome, one.category, one.automated, one.actor, one.model,
      one.model_version, one.policy_version, one.scores, one.decided_at, one.decided_at::text as place,
      case following.outcome when 'restore' then following.decided_at end as overturned_at,
      appeals.submitted_at as appealed_at, appeals.outcome as appeal_outcome, appeals.decided_at as appeal_decided_at
    from moderation_decisions one
    join posts on posts.id = one.post_id
    left join lateral (
      select outcome, decided_at from moderation_decisions later
      where later.post_id = one.post_id and later.id > one.id and later.edit = one.edit order by later.id limit 1
    ) following on one.outcome in ('low_quality', 'abuse', 'remove')
    -- An appeal belongs to the rejection or removal that was in effect when it was filed.
    left join appeals on appeals.post_id = one.post_id and appeals.edit = one.edit
      and one.outcome in ('low_quality', 'abuse', 'remove') and appeals.submitted_at >= one.decided_at
      and (following.outcome is null or following.decided_at >= appeals.submitted_at)
    where (one.decided_at, one.id) > (${after.place}::timestamptz, ${after.id})
      and (${until}::timestamptz is null or one.decided_at < ${until})
    order by one.decided_at, one.id limit ${sql.lit(batch)}`.execute(db)
  return rows
}

function listed(row: Row): ListedModerationDecision {
  const { actor, place: _, decided_at, overturned_at, appealed_at, appeal_outcome, appeal_decided_at, ...plain } = row
  return {
    source: 'moderation',
    ...plain,
    decided_by: whoIs(actor),
    decided_at: decided_at.toISOString(),
    overturned_at: overturned_at?.toISOString() ?? null,
    appeal: appealed_at && {
      outcome: appeal_outcome ?? 'open',
      submitted_at: appealed_at.toISOString(),
      decided_at: appeal_decided_at?.toISOString() ?? null,
    },
  }
}

/** An operator's login name and the cause of a system decision are not exported. */
function whoIs(actor: string): string {
  const [role = '', name = ''] = actor.split(/:(.*)/s)
  return role === 'model' ? name : role === 'staff' ? actor : role
}
