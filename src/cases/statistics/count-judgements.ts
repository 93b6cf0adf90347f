import { sql } from 'kysely'
import { firstLook } from '../../moderation/statistics/count-span.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Audited } from '../case-kinds.ts'
import type { WorkSpan } from './count-work.ts'

/** How people decided on posts that the model sent to review, by the judge's verdict. */
export type Leaning = { leaned: 'accept' | 'reject' | 'unsure'; published: number; refused: number }

export async function countOpinions(db: Database, span: WorkSpan): Promise<Leaning[]> {
  const { rows } = await sql<Leaning>`
    select leaned, count(*) filter (where outcome = 'publish') as published,
      count(*) filter (where outcome <> 'publish') as refused
    from (
      select said.outcome, case when asked.scores #>> '{judge,verdict}' in ('accept', 'reject')
        then asked.scores #>> '{judge,verdict}' else 'unsure' end as leaned
      from moderation_decisions said join moderation_decisions asked on asked.post_id = said.post_id
        and asked.edit = said.edit and asked.automated and asked.outcome = 'review'
      where not said.automated and said.outcome in ('publish', 'low_quality', 'abuse') and ${within('said', span)}
    ) compared group by 1`.execute(db)
  return rows
}

/** Automated penalties, and how many of them a person has reviewed since. */
export type Punished = { punished: number; seen: number }

export async function countPunished(db: Database, span: WorkSpan): Promise<Punished> {
  const { rows } = await sql<Punished>`
    select count(*) as punished, count(*) filter (where
      exists (select from desk_decisions where case_key = 'check:' || made.id)
      or exists (
        select from appeals where appeals.post_id = made.post_id and appeals.edit = made.edit and outcome is not null
      )
      or exists (
        select from moderation_decisions later where later.post_id = made.post_id and later.edit = made.edit
          and later.id > made.id and not later.automated
      )
    ) as seen
    from moderation_decisions made where made.automated and made.outcome = 'abuse' and ${within('made', span)}`.execute(
    db,
  )
  return rows[0] ?? { punished: 0, seen: 0 }
}

/** Decided appeals, by who made the original decision. */
export type AppealsOf = { automated: boolean; upheld: number; dismissed: number }

export async function countAppeals(db: Database, span: WorkSpan): Promise<AppealsOf[]> {
  const { rows } = await sql<AppealsOf>`
    select refusal.automated, count(*) filter (where appeals.outcome = 'upheld') as upheld,
      count(*) filter (where appeals.outcome = 'dismissed') as dismissed
    from appeals cross join lateral (
      select automated from moderation_decisions before
      where before.post_id = appeals.post_id and before.edit = appeals.edit and before.outcome in ${refusals}
        and before.decided_at <= appeals.submitted_at
      order by before.id desc limit 1
    ) refusal
    where ${within('appeals', span)} group by 1`.execute(db)
  return rows
}

/** `suspected`: how often the model sent a post to review for the category. `overturned`: reversed decisions. */
export type CategoryCounts = { suspected: number; overturned: number }

export async function countByCategory(db: Database, span: WorkSpan): Promise<Map<string, CategoryCounts>> {
  const { rows } = await sql<CategoryCounts & { category: string }>`
    select category, count(*) filter (where is_suspicion) as suspected,
      count(*) filter (where not is_suspicion) as overturned
    from (
      select named.category, true as is_suspicion from moderation_decisions asked
      -- The rules and the judge can name the same category.
      cross join lateral (
        values (asked.category), (nullif(asked.scores #>> '{judge,category}', asked.category))
      ) named (category)
      where asked.automated and asked.outcome = 'review' and ${within('asked', span)}
      union all
      select refusal.category, false from moderation_decisions back cross join lateral (
        select category from moderation_decisions before
        where before.post_id = back.post_id and before.id < back.id and before.edit = back.edit
          and before.outcome in ${refusals}
        order by before.id desc limit 1
      ) refusal
      where not back.automated and back.outcome = 'restore' and ${within('back', span)}
    ) named where category is not null group by 1`.execute(db)
  return new Map(rows.map(({ category, ...counts }) => [category, counts]))
}

const refusals = sql`('low_quality', 'abuse', 'remove')`

const within = (table: string, { from, to }: WorkSpan) => {
  const decidedAt = sql.ref(`${table}.decided_at`)
  return sql`${decidedAt} >= ${from} and ${decidedAt} < ${to}`
}

/** Sampled automated decisions at one rate: how many a person has reviewed, and how many of those were wrong. */
export type AuditCount = { audited: Audited; share: number; drawn: number; seen: number; wrong: number }

/** Grouped by outcome and sampling rate, because a sum over different rates does not represent all posts. */
export async function countAudits(db: Database, { from, to }: WorkSpan): Promise<AuditCount[]> {
  const { rows } = await sql<AuditCount>`
    select case sample.outcome when 'publish' then 'published' else 'rejected' end as audited, share::float8 as share,
      count(*) as drawn, count(look.decided_at) as seen, count(*) filter (where look.wrong) as wrong
    from audit_samples sample left join lateral (${firstLook}) look on true
    where sample.sampled_at >= ${from} and sample.sampled_at < ${to} group by 1, 2 order by 1, 2`.execute(db)
  return rows
}
