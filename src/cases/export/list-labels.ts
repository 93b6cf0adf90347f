import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../platform/database/database.ts'
import type { PolicyCategoryId } from '../../policy/policy.ts'
import { type Sites, siteOf } from '../../posts/sites.ts'

export type LabelSource = 'review' | 'appeal' | 'report' | 'audit' | 'check'

/** The final human judgement on one version of a post. */
export type Label = {
  id: string
  /** The version: 0 for the post as submitted, otherwise the number of the edit. */
  edit: number
  kind: string
  /** The title, a blank line and the text, as the user wrote them. */
  text: string
  /** The violated category; for a harmless post, the suspected category, if any. */
  category: PolicyCategoryId | null
  violating: boolean
  source: LabelSource
  policy_version: string
  decided_at: string
  weight: number
}

/**
 * How many texts from external data sets one label is worth. Labels come from real posts, so they are worth more. An
 * appeal is worth the most, because a second person has read both sides.
 */
const weights: Record<LabelSource, number> = { review: 4, report: 4, check: 4, audit: 4, appeal: 8 }

const batch = 500

/**
 * The latest human decision on every version of a post whose text still exists, ordered by post, in bounded memory. It
 * does not reveal the author. Decisions before `since` are left out.
 */
export async function* listLabels(db: Database, sites: Sites, since = new Date(0)): AsyncGenerator<Label> {
  let after = ''
  for (;;) {
    const ids = await nextPosts(db, after)
    const last = ids.at(-1)
    if (last === undefined) return
    for (const row of await readLabels(db, ids, since)) yield labelOf(sites, row)
    after = last
  }
}

/** The approximate number of posts with human decisions, for progress output. */
export async function countLabelledPosts(db: Database): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from (
      select post_id from moderation_decisions where not automated
      union select post_id from desk_decisions union select post_id from appeals union select post_id from report_cases
    ) decided`.execute(db)
  return rows[0]?.count ?? 0
}

/** Each table returns up to one batch, using its index. */
async function nextPosts(db: Database, after: string): Promise<string[]> {
  const from = (table: string, wanted: RawBuilder<unknown>) => sql`
    (select distinct post_id from ${sql.table(table)} where ${wanted} and post_id > ${after} order by 1 limit ${sql.lit(batch)})`
  const { rows } = await sql<{ post_id: string }>`
    ${from('moderation_decisions', sql`not automated`)} union ${from('desk_decisions', sql`effect = 'done'`)}
    union ${from('appeals', sql`outcome = 'dismissed'`)} union ${from('report_cases', sql`outcome = 'dismissed'`)}
    order by 1 limit ${sql.lit(batch)}`.execute(db)
  return rows.map(({ post_id }) => post_id)
}

type Row = Omit<Label, 'id' | 'text' | 'decided_at' | 'weight'> & { post_id: string; content: object; decided_at: Date }

async function readLabels(db: Database, ids: readonly string[], since: Date): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with now as (
      select posts.id as post_id, posts.kind, posts.content, coalesce(posts.edited_at, '-infinity') as changed_at, (
        select coalesce(max(edit), 0) from moderation_decisions accepted
        where accepted.post_id = posts.id and accepted.outcome = 'publish'
      ) as version
      from posts where posts.id = any (${ids})
    ), words as (
      ${ofReviews(ids)} union all ${ofRemovals} union all ${ofRestorations} union all ${ofDismissals(ids)}
      union all ${ofConfirmations(ids)} union all ${ofKept} union all ${ofDismissedReports}
    )
    select last.post_id, last.version as edit, now.kind, last.category, last.violating, last.source, last.policy_version,
      last.decided_at, texts.content
    from (select distinct on (post_id, version) * from words order by post_id, version, decided_at desc) last
    join now on now.post_id = last.post_id
    left join post_edits edits on edits.post_id = last.post_id and edits.number = last.version
    cross join lateral (
      select case when last.version = now.version then now.content else edits.content end as content
    ) texts
    where texts.content is not null and last.decided_at >= ${since} order by last.post_id, last.version`.execute(db)
  return rows
}

// Each query returns post_id, version, violating, category, source, policy_version and decided_at. A decision on a
// public post applies to its version at that time and not to a later text.

const refusals = sql`('low_quality', 'abuse', 'remove')`

const ofReviews = (ids: readonly string[]) => sql`
  select said.post_id, said.edit as version, said.outcome <> 'publish' as violating, coalesce(said.category, (
      select category from moderation_decisions asked where asked.post_id = said.post_id and asked.edit = said.edit
        and asked.automated and asked.outcome = 'review' limit 1
    )) as category, 'review' as source, said.policy_version, said.decided_at
  from moderation_decisions said
  where said.post_id = any (${ids}) and not said.automated and said.outcome in ('publish', 'low_quality', 'abuse')`

/** The kind of the desk case that produced a decision. Both rows have the same timestamp. */
const sourceOf = (verdicts: RawBuilder<unknown>, otherwise: LabelSource) => sql`
  coalesce((
    select case_kind from desk_decisions desk where desk.post_id = said.post_id and desk.applied_at = said.decided_at
      and desk.verdict in ${verdicts} limit 1
  ), ${sql.lit(otherwise)})`

const ofRemovals = sql`
  select said.post_id, now.version, true, said.category, ${sourceOf(sql`('remove')`, 'report')}, said.policy_version, said.decided_at
  from now join moderation_decisions said on said.post_id = now.post_id
  where not said.automated and said.outcome = 'remove' and now.changed_at <= said.decided_at`

const ofRestorations = sql`
  select said.post_id, case said.edit when 0 then now.version else said.edit end, false, refusal.category,
    ${sourceOf(sql`('uphold', 'overturn')`, 'appeal')}, said.policy_version, said.decided_at
  from now join moderation_decisions said on said.post_id = now.post_id cross join lateral (
    select category from moderation_decisions before where before.post_id = said.post_id and before.edit = said.edit
      and before.id < said.id and before.outcome in ${refusals} order by before.id desc limit 1
  ) refusal
  where not said.automated and said.outcome = 'restore' and (said.edit > 0 or now.changed_at <= said.decided_at)`

const ofDismissals = (ids: readonly string[]) => sql`
  select appeals.post_id, case appeals.edit when 0 then now.version else appeals.edit end, true, refusal.category,
    'appeal', refusal.policy_version, appeals.decided_at
  from appeals join now on now.post_id = appeals.post_id cross join lateral (
    select category, policy_version from moderation_decisions before
    where before.post_id = appeals.post_id and before.edit = appeals.edit and before.decided_at <= appeals.decided_at
      and before.outcome in ${refusals} order by before.id desc limit 1
  ) refusal
  where appeals.post_id = any (${ids}) and appeals.outcome = 'dismissed'`

const ofConfirmations = (ids: readonly string[]) => sql`
  select desk.post_id, desk.edit, true, made.category, desk.case_kind, made.policy_version, desk.decided_at
  from desk_decisions desk join moderation_decisions made on made.id = split_part(desk.case_key, ':', 2)::bigint
  where desk.post_id = any (${ids}) and desk.verdict = 'confirm' and desk.effect = 'done'`

/** The policy version under which the post was published, because keeping a post creates no new decision. */
const publishedUnder = sql`
  cross join lateral (
    select policy_version from moderation_decisions made
    where made.post_id = now.post_id and made.edit = now.version and made.outcome = 'publish' limit 1
  ) made`

const ofKept = sql`
  select desk.post_id, now.version, false, null, desk.case_kind, made.policy_version, desk.decided_at
  from now join desk_decisions desk on desk.post_id = now.post_id ${publishedUnder}
  where desk.verdict = 'keep' and desk.effect = 'done' and now.changed_at <= desk.decided_at`

const ofDismissedReports = sql`
  select cases.post_id, now.version, false, null, 'report', made.policy_version, cases.closed_at
  from now join report_cases cases on cases.post_id = now.post_id ${publishedUnder}
  where cases.outcome = 'dismissed' and now.changed_at <= cases.closed_at
    and not exists (select from desk_decisions where case_key = 'report:' || cases.post_id || ':' || cases.number)`

function labelOf(sites: Sites, { post_id, content, decided_at, ...row }: Row): Label {
  const { headline, hasTitle, text } = siteOf(sites, row.kind).kind.presentation
  const { edit, kind, category, violating, source, policy_version } = row
  return {
    ...{ id: post_id, edit, kind },
    text: hasTitle ? `${headline(content)}\n\n${text(content)}` : text(content),
    ...{ category, violating, source, policy_version, decided_at: decided_at.toISOString(), weight: weights[source] },
  }
}
