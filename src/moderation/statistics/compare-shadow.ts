import { sql } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../platform/database/database.ts'
import { policyCategoryIds } from '../../policy/policy.ts'
import { decide, type Verdict } from '../decisions/decision-table.ts'
import { thresholds } from '../decisions/thresholds.ts'
import type { CategoryScores, Opinion } from '../pipeline/opinion.ts'

/** Posts on which the candidate differs from the live model in the same way. */
export type ShadowDifference = {
  live: Verdict['outcome']
  candidate: Verdict['outcome']
  category: string | null
  count: number
  /** The newest of these posts, as `<post>` or `<post>/<edit>`. */
  posts: string[]
}

export type Comparison = {
  /** The candidate's version, and how many decisions it was asked about. */
  version: string
  compared: number
  differ: number
  differences: ShadowDifference[]
}

const batch = 1_000
/** How many examples are listed for each difference. */
const postsNamed = 50

/**
 * Compares the decisions that a candidate's scores lead to with those of the live model. Both use the current decision
 * table, so only the scores differ. Returns one result per candidate, and reads no text.
 */
export async function compareShadow(db: Database, since: Date): Promise<Comparison[]> {
  const comparisons = new Map<string, Comparison>()
  let after = { place: since.toISOString(), id: 0 }
  for (;;) {
    const rows = await readBatch(db, after)
    for (const row of rows) compare(comparisons, row)
    const last = rows.at(-1)
    if (!last || rows.length < batch) break
    after = last
  }
  return [...comparisons.values()].map((one) => ({
    ...one,
    differences: one.differences
      .map((difference) => ({ ...difference, posts: difference.posts.toReversed() }))
      .sort((a, b) => b.count - a.count),
  }))
}

type Row = { id: number; post_id: string; edit: number; scores: unknown; place: string }

async function readBatch(db: Database, after: { place: string; id: number }): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select id, post_id, edit, scores, decided_at::text as place from moderation_decisions
    where automated and scores ? 'shadow' and (decided_at, id) > (${after.place}::timestamptz, ${after.id})
    order by decided_at, id limit ${sql.lit(batch)}`.execute(db)
  return rows
}

/** A category that was added to the policy later has no score and counts as 0. */
const categoryScores = z
  .partialRecord(z.enum(policyCategoryIds), z.number())
  .transform((given) => Object.fromEntries(policyCategoryIds.map((id) => [id, given[id] ?? 0])) as CategoryScores)

const judgeVerdict = z.object({
  verdict: z.enum(['accept', 'review', 'reject']),
  category: z.enum(policyCategoryIds).nullable(),
  score: z.number(),
})

/** The scores that moderate-post stores with a decision. */
const keptScores = z.looseObject({
  row: z.string(),
  rules: categoryScores,
  classifier: categoryScores,
  overall: z.number(),
  judged: z.boolean(),
  mentions_minors: z.boolean(),
  standing: z.enum(['new', 'trusted']).default('new'),
  judge: judgeVerdict.optional(),
  shadow: z.looseObject({ version: z.string(), judged: z.boolean(), overall: z.number(), scores: categoryScores }),
})

function compare(comparisons: Map<string, Comparison>, { post_id, edit, scores }: Row): void {
  const read = keptScores.safeParse(scores)
  // The decision was made under a policy with other categories.
  if (!read.success) return
  const { rules, classifier, overall, judged, mentions_minors, standing, judge, row, shadow } = read.data
  const shared: Omit<Opinion, 'local'> = {
    rules: { scores: rules, mentionsMinors: mentions_minors },
    judge: judge ?? (row === 'judge_failed' ? 'failed' : 'absent'),
  }
  const live = decide({ ...shared, local: { scores: classifier, overall, judged } }, thresholds, standing)
  const candidate = decide({ ...shared, local: shadow }, thresholds, standing)
  const found = comparisons.get(shadow.version) ?? {
    ...{ version: shadow.version, compared: 0, differ: 0, differences: [] },
  }
  comparisons.set(shadow.version, found)
  found.compared++
  if (live.outcome === candidate.outcome) return
  found.differ++
  const category = categoryOf(candidate) ?? categoryOf(live)
  const name = edit === 0 ? post_id : `${post_id}/${edit}`
  const known = found.differences.find(
    (one) => one.live === live.outcome && one.candidate === candidate.outcome && one.category === category,
  )
  if (!known) {
    const fresh = { live: live.outcome, candidate: candidate.outcome, category, count: 1, posts: [name] }
    found.differences.push(fresh)
    return
  }
  known.count++
  known.posts = [...known.posts, name].slice(-postsNamed)
}

const categoryOf = (verdict: Verdict) => ('category' in verdict ? verdict.category : null)
