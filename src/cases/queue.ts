import { type RawBuilder, sql } from 'kysely'
import { desk } from '../contract/limits.ts'
import { firstLook } from '../moderation/statistics/count-span.ts'
import type { Database, Transaction } from '../platform/database/database.ts'
import { harmLevels, unknownLevel, urgentLevel } from '../policy/category.ts'
import type { Audited, CaseKind } from './case-kinds.ts'

/** A waiting case as one staff member sees it. */
export type QueuedCase = {
  /**
   * `review:<post>:<edit>`, `report:<post>:<number>`, `appeal:<post>:<edit>`, `check:<decision>`, `audit:<decision>`.
   * Keys are never reused.
   */
  key: string
  kind: CaseKind
  post_id: string
  /** 0 for the post itself. */
  edit: number
  account_id: string
  /** The kind of post, which determines its site. */
  site: string
  opened_at: Date
  /** The deadline for a person to review it; null if there is none. */
  due_at: Date | null
  /** The suspected categories, from the model, the reports or the appealed decision. */
  categories: string[]
  harm: number
  reports: number
  /** For reports, the state that the reviewer must have seen: `<number of reports> <last edit>`. Otherwise empty. */
  version: string
  /** For audits, the model's decision; otherwise null. */
  audited: Audited | null
  claimed_by: string | null
  claimed_until: Date | null
  claimed_by_name: string | null
  /** The requesting member has claimed the case. */
  mine: boolean
  /** The requesting member has already decided on this post, so someone else must decide the appeal. */
  barred: boolean
}

type Asking = { staffId: string; at: Date }

/** Cases due this soon come before cases that are not urgent. */
const dueSoonSeconds = desk.checkSeconds / 4
/** After this time, an unreviewed check or audit leaves the queue. The statistics still count it. */
const checkableDays = 30

/** Waiting cases in queue order. `free` leaves out those that this person cannot claim now. */
export async function listCases(
  db: Database | Transaction,
  { staffId, at, limit, kind, free = false }: Asking & { limit: number; kind?: CaseKind; free?: boolean },
): Promise<QueuedCase[]> {
  const own = kind ? sql`and waiting.kind = ${kind}` : sql``
  const rest = free ? onlyFree({ staffId, at }) : sql``
  const { rows } = await selectCases({ staffId, at }, sql`${own} ${rest} order by ${order(at)} limit ${limit}`).execute(
    db,
  )
  return rows
}

/** One waiting case; null if it was decided, is gone or never existed. */
export async function findCase(
  db: Database | Transaction,
  { key, staffId, at }: Asking & { key: string },
): Promise<QueuedCase | null> {
  const { rows } = await selectCases({ staffId, at }, sql`and waiting.key = ${key}`).execute(db)
  return rows[0] ?? null
}

export type CaseCount = { kind: CaseKind; open: number; oldest: Date | null; overdue: number }

/** For each kind, the number of waiting cases, when the oldest was opened, and the number of overdue cases. */
export async function countCases(db: Database, at: Date): Promise<CaseCount[]> {
  const { rows } = await sql<CaseCount>`
    with waiting as (${waiting(at)})
    select kind, count(*)::int as open, min(opened_at) as oldest, (count(*) filter (where due_at <= ${at}))::int as overdue
    from waiting where not exists (select from desk_decisions where case_key = waiting.key)
    group by kind`.execute(db)
  return rows
}

const onlyFree = ({ staffId, at }: Asking) => sql`
  and (claims.staff_id is null or claims.staff_id = ${staffId})
  and not exists (select from desk_skips where case_key = waiting.key and staff_id = ${staffId} and until > ${at})
  and not (${isBarred(staffId)})`

const isBarred = (staffId: string) => sql`
  waiting.kind = 'appeal' and exists (
    select from desk_decisions decided where decided.post_id = waiting.post_id and decided.staff_id = ${staffId}
  )`

/**
 * The most harmful cases first, then those due soon, then the rest; each group by harm and age. Audits come last,
 * because no author or reader is affected by the delay.
 */
const order = (at: Date) => sql`
  waiting.kind = 'audit',
  harm.level = ${urgentLevel} desc,
  coalesce(waiting.due_at <= ${new Date(at.getTime() + dueSoonSeconds * 1_000)}, false) desc,
  harm.level desc, waiting.opened_at, waiting.key`

function selectCases({ staffId, at }: Asking, rest: RawBuilder<unknown>) {
  return sql<QueuedCase>`
    with waiting as (${waiting(at)})
    select waiting.key, waiting.kind, waiting.post_id, waiting.edit, waiting.account_id, waiting.site, waiting.opened_at,
      waiting.due_at, waiting.categories, harm.level as harm, waiting.reports, waiting.version, waiting.audited,
      claims.staff_id as claimed_by,
      claims.expires_at as claimed_until, holders.name as claimed_by_name,
      coalesce(claims.staff_id = ${staffId}, false) as mine, (${isBarred(staffId)}) as barred
    from waiting
    cross join lateral (
      select coalesce(max((${JSON.stringify(harmLevels)}::jsonb ->> category)::int), ${unknownLevel}::int) as level
      from unnest(waiting.categories) category
    ) harm
    left join desk_claims claims on claims.case_key = waiting.key and claims.expires_at > ${at}
    left join staff holders on holders.id = claims.staff_id
    where not exists (select from desk_decisions where case_key = waiting.key) ${rest}`
}

/**
 * All cases that wait for a person, as one relation. Leaves out deleted posts, and for closed accounts everything
 * except public posts.
 */
const waiting = (at: Date) => sql`
  select 'review:' || posts.id || ':0' as key, 'review' as kind, posts.id as post_id, 0 as edit, posts.account_id,
    posts.kind as site, coalesce(asked.decided_at, posts.created_at) as opened_at, null::timestamptz as due_at,
    array_remove(array[asked.category, asked.scores->'judge'->>'category'], null) as categories, 0 as reports, '' as version,
    null as audited
  from posts join accounts on accounts.id = posts.account_id
  left join lateral (
    select decided_at, category, scores from moderation_decisions
    where post_id = posts.id and edit = 0 and outcome = 'review' order by id desc limit 1
  ) asked on true
  where posts.status = 'review' and accounts.standing <> 'closed'
  union all
  select 'review:' || edits.post_id || ':' || edits.number, 'review', posts.id, edits.number, posts.account_id, posts.kind,
    coalesce(asked.decided_at, edits.submitted_at), null,
    array_remove(array[asked.category, asked.scores->'judge'->>'category'], null), 0, '', null
  from post_edits edits join posts on posts.id = edits.post_id join accounts on accounts.id = posts.account_id
  left join lateral (
    select decided_at, category, scores from moderation_decisions
    where post_id = edits.post_id and edit = edits.number and outcome = 'review' order by id desc limit 1
  ) asked on true
  where edits.status = 'review' and posts.status = 'published' and accounts.standing <> 'closed'
  union all
  select 'report:' || cases.post_id || ':' || cases.number, 'report', posts.id, 0, posts.account_id, posts.kind,
    cases.opened_at, null, gathered.categories, gathered.reports,
    gathered.reports || ' ' || coalesce(extract(epoch from posts.edited_at), 0), null
  from report_cases cases join posts on posts.id = cases.post_id
  cross join lateral (
    select count(*)::int as reports, array_agg(distinct category) as categories from reports
    where post_id = cases.post_id and case_number = cases.number
  ) gathered
  where cases.closed_at is null and posts.status = 'published'
  union all
  select 'appeal:' || appeals.post_id || ':' || appeals.edit, 'appeal', posts.id, appeals.edit, posts.account_id, posts.kind,
    appeals.submitted_at,
    -- An appealed automated penalty keeps the deadline that it had as a check.
    case when refusal.automated and refusal.outcome = 'abuse' and not exists (
      select from desk_decisions where case_key = 'check:' || refusal.id
    ) then refusal.decided_at + ${desk.checkSeconds} * interval '1 second' end,
    array_remove(array[refusal.category], null), 0, '', null
  from appeals join posts on posts.id = appeals.post_id join accounts on accounts.id = posts.account_id
  left join lateral (
    select id, category, automated, outcome, decided_at from moderation_decisions
    where post_id = appeals.post_id and edit = appeals.edit and outcome in ('low_quality', 'abuse', 'remove')
    order by id desc limit 1
  ) refusal on true
  where appeals.outcome is null and posts.status <> 'deleted' and accounts.standing <> 'closed'
  union all
  select 'check:' || made.id, 'check', posts.id, made.edit, posts.account_id, posts.kind,
    made.decided_at, made.decided_at + ${desk.checkSeconds} * interval '1 second', array_remove(array[made.category], null), 0, '',
    null
  from moderation_decisions made join posts on posts.id = made.post_id join accounts on accounts.id = posts.account_id
  where made.automated and made.outcome = 'abuse' and made.decided_at > ${new Date(at.getTime() - checkableDays * 86_400_000)}
    and posts.status <> 'deleted' and accounts.standing <> 'closed'
    -- The appeal replaces the check.
    and not exists (select from appeals where post_id = made.post_id and edit = made.edit)
    and not exists (
      select from moderation_decisions later
      where later.post_id = made.post_id and later.edit = made.edit and later.outcome = 'restore' and later.id > made.id
    )
  union all
  select 'audit:' || sample.decision_id, 'audit', posts.id, sample.edit, posts.account_id, posts.kind,
    sample.sampled_at, null, array_remove(array[made.category], null), 0, '',
    case sample.outcome when 'publish' then 'published' else 'rejected' end
  from audit_samples sample join moderation_decisions made on made.id = sample.decision_id
  join posts on posts.id = sample.post_id join accounts on accounts.id = posts.account_id
  where sample.sampled_at > ${new Date(at.getTime() - checkableDays * 86_400_000)}
    -- Automated penalties are already checks, and appealed decisions are already appeals.
    and case sample.outcome
      when 'publish' then posts.status = 'published' and coalesce(posts.edited_at <= sample.sampled_at, true)
      when 'low_quality' then posts.status <> 'deleted' and accounts.standing <> 'closed' and not exists (
        select from appeals where post_id = sample.post_id and edit = sample.edit
      )
      else false end
    and not exists (${firstLook})`
