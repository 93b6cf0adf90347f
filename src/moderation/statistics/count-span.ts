import { type RawBuilder, sql } from 'kysely'
import { startOfUtcDay, utcDay } from '../../contract/time/utc-day.ts'
import type { Database, Transaction } from '../../platform/database/database.ts'
import { firstIdAt } from '../../platform/identifiers.ts'
import { addCounts, type Counts, waitHours } from '../../policy/moderation-counts.ts'

/**
 * The finding of the first person who reviewed a sampled decision: `decided_at`, and whether the decision was `wrong`.
 * It need not come from an audit: a report, a check, an appeal or the operator can come first. Those findings count
 * too; otherwise every error that someone complained about would be missing. The enclosing statement must name the
 * audit_samples row `sample`. Once the text of a published post has been replaced, later reviews do not count.
 */
export const firstLook = sql`
  select decided_at, wrong
  from first_look(sample.decision_id, sample.post_id, sample.edit, sample.outcome, sample.sampled_at)`

/** From `from` (inclusive) to `to` (exclusive). */
export type StatisticsSpan = { from: Date; to: Date }

type DayOfKind = { day: string; kind: string; counts: Counts; reviewHours: CountedReviewHours }

/** How long the cases decided on that day had waited; null if there were none. */
export type CountedReviewHours = { median: number | null; p90: number | null }

type Named = { day: string; kind: string; name: string; count: number }
type Waited = { day: string; kind: string; median: number; p90: number }

/** Counts the moderation activity in a time span, for each UTC day and kind with any activity. */
export async function countSpan(db: Database | Transaction, span: StatisticsSpan): Promise<DayOfKind[]> {
  const named: Named[] = []
  for (const statement of statements) named.push(...(await statement(span).execute(db)).rows)
  const waited = (await waits(span).execute(db)).rows
  return [...Map.groupBy(named, ({ day, kind }) => `${day} ${kind}`).values()].map((rows) => {
    const { day, kind } = rows[0] as Named
    const own = waited.find((one) => one.day === day && one.kind === kind)
    const counts = addCounts(rows.map(({ name, count }) => ({ [name]: count })))
    return { day, kind, counts, reviewHours: { median: tenths(own?.median), p90: tenths(own?.p90) } }
  })
}

const tenths = (hours: number | undefined) => (hours === undefined ? null : Math.round(hours * 10) / 10)

const dayOf = (column: string) => sql`(${sql.ref(column)} at time zone 'UTC')::date`
const within = (column: string, { from, to }: StatisticsSpan) =>
  sql`${sql.ref(column)} >= ${from} and ${sql.ref(column)} < ${to}`
/** Uses the primary key, which sorts by time, because the creation time has no index. */
const madeWithin = (column: string, prefix: 'post' | 'rep', { from, to }: StatisticsSpan) =>
  sql`${sql.ref(column)} >= ${firstIdAt(prefix, from)} and ${sql.ref(column)} < ${firstIdAt(prefix, to)}`
const decider = (column: string) => sql`case when ${sql.ref(column)} then 'automated' else 'person' end`
const refusals = sql`('low_quality', 'abuse', 'remove')`

/** Each query returns named counts. Rows with a null name, from decisions without a category, are dropped. */
const statements: readonly ((span: StatisticsSpan) => RawBuilder<Named>)[] = [
  (span) => sql`
    select ${dayOf('created_at')} as day, kind, 'posts_submitted' as name, count(*) as count
    from posts where ${madeWithin('id', 'post', span)} group by 1, 2`,

  (span) => sql`
    select decided.day, decided.kind, named.name, decided.count from (
      select ${dayOf('made.decided_at')} as day, posts.kind, outcome, category, edit = 0 as is_post,
        ${decider('made.automated')} as decider, count(*) as count
      from moderation_decisions made join posts on posts.id = made.post_id
      where ${within('made.decided_at', span)} group by 1, 2, 3, 4, 5, 6
    ) decided cross join lateral (values
      ('decisions_' || outcome || '_' || decider, true),
      ('posts_published', outcome = 'publish' and is_post),
      ('rejections_' || category || '_' || decider, outcome in ('low_quality', 'abuse')),
      ('removals_' || category, outcome = 'remove')
    ) as named (name, applies) where named.applies and named.name is not null`,

  (span) => sql`
    select ${dayOf('received_at')} as day, posts.kind, 'reports_' || category as name, count(*) as count
    from reports join posts on posts.id = post_id where ${madeWithin('reports.id', 'rep', span)} group by 1, 2, 3`,

  (span) => sql`
    select ${dayOf('closed_at')} as day, posts.kind, 'cases_' || outcome as name, count(*) as count
    from report_cases join posts on posts.id = post_id where ${within('closed_at', span)} group by 1, 2, 3`,

  (span) => sql`
    select ${dayOf('submitted_at')} as day, posts.kind, 'appeals_filed' as name, count(*) as count
    from appeals join posts on posts.id = post_id where ${within('submitted_at', span)} group by 1, 2`,

  (span) => sql`
    select ${dayOf('appeals.decided_at')} as day, posts.kind, 'appeals_' || outcome as name, count(*) as count
    from appeals join posts on posts.id = post_id where ${within('appeals.decided_at', span)} group by 1, 2, 3`,

  (span) => sql`
    select ${dayOf('back.decided_at')} as day, posts.kind, 'overturned_' || ${decider('refusal.automated')} as name,
      count(*) as count
    from moderation_decisions back join posts on posts.id = back.post_id
    cross join lateral (
      select automated from moderation_decisions before
      where before.post_id = back.post_id and before.id < back.id and before.edit = back.edit
        and before.outcome in ${refusals}
      order by before.id desc limit 1
    ) refusal
    where not back.automated and back.outcome = 'restore' and ${within('back.decided_at', span)} group by 1, 2, 3`,

  (span) => sql`
    select day, kind, named.name, count(*) as count from (${reviewed(span)}) reviewed cross join lateral (values
      ('opinions_compared', verdict in ('accept', 'reject')),
      ('opinions_agreed', verdict = case outcome when 'publish' then 'accept' else 'reject' end),
      ('reviews_decided', true),
      ${sql.join(Object.entries(waitHours).map(([wait, hours]) => sql`(${sql.lit(`reviews_within_${wait}`)}, hours <= ${sql.lit(hours)})`))}
    ) as named (name, applies) where named.applies group by 1, 2, 3`,

  (span) => sql`
    select ${dayOf('look.decided_at')} as day, posts.kind, 'audits_'
        || case sample.outcome when 'publish' then 'published' else 'rejected' end
        || case when look.wrong then '_wrong' else '_right' end as name, count(*) as count
    from audit_samples sample join posts on posts.id = sample.post_id cross join lateral (${firstLook}) look
    where sample.sampled_at >= ${new Date(span.from.getTime() - lookedAtDays * 86_400_000)} and sample.sampled_at < ${span.to}
      and ${within('look.decided_at', span)} group by 1, 2, 3`,
]

/** A sample that nobody has reviewed for this long has left the queue of audits and checks. */
const lookedAtDays = 30

const waits = (span: StatisticsSpan): RawBuilder<Waited> => sql`
  select day, kind, percentile_cont(0.5) within group (order by hours) as median,
    percentile_cont(0.9) within group (order by hours) as p90
  from (${reviewed(span)}) reviewed group by 1, 2`

/** Human decisions on reviews, with the judge's verdict and the hours between the two decisions. */
const reviewed = (span: StatisticsSpan) => sql`
  select ${dayOf('said.decided_at')} as day, posts.kind, said.outcome, asked.scores #>> '{judge,verdict}' as verdict,
    extract(epoch from said.decided_at - asked.decided_at)::float8 / 3600 as hours
  from moderation_decisions said join posts on posts.id = said.post_id
  join moderation_decisions asked on asked.post_id = said.post_id and asked.edit = said.edit
    and asked.automated and asked.outcome = 'review'
  where not said.automated and said.outcome in ('publish', 'low_quality', 'abuse') and ${within('said.decided_at', span)}`

const dayMs = 86_400_000

export type ModerationStatistics = {
  /** One entry per day of the span, including today, oldest first. */
  days: readonly { day: string; counts: Counts }[]
  totals: Counts
}

/** The decisions on all sites in the last `days` days, including today, for the desk. Counts only what is not stored yet. */
export async function readModerationStatistics(
  db: Database,
  { days, at }: { days: number; at: Date },
): Promise<ModerationStatistics> {
  const today = startOfUtcDay(at).getTime()
  const span = Array.from({ length: days }, (_, index) => new Date(today - (days - 1 - index) * dayMs))
  const stored = await readStoredCounts(db, span.map(utcDay))
  // Days are counted and stored in order, so what is missing is after the last one.
  const from = span[span.findLastIndex((day) => stored.has(utcDay(day))) + 1]
  const live = from ? await countSpan(db, { from, to: new Date(today + dayMs) }) : []
  const byDay = new Map([...stored, ...Map.groupBy(live, ({ day }) => day)])
  const series = span.map((date) => {
    const day = utcDay(date)
    return { day, counts: addCounts((byDay.get(day) ?? []).map(({ counts }) => counts)) }
  })
  return { days: series, totals: addCounts(series.map(({ counts }) => counts)) }
}

/** The stored counts of completed days, one for each kind. */
async function readStoredCounts(db: Database, days: string[]): Promise<Map<string, { counts: Counts }[]>> {
  const rows = await db.selectFrom('moderation_days').select(['day', 'counts']).where('day', 'in', days).execute()
  const stored = rows.map(({ day, counts }) => {
    const { review_hours_median, review_hours_p90, ...named } = counts as Counts & Record<string, number>
    return { day: String(day), counts: named as Counts }
  })
  return Map.groupBy(stored, ({ day }) => day)
}
