import { sql } from 'kysely'
import type { PostStatus } from '../../generated/database-types.ts'
import type { Because, Standing } from '../accounts/trust/assess-trust.ts'
import { readTrust } from '../accounts/trust/read-trust.ts'
import { findLinks } from '../contract/text/links.ts'
import type { TextPart } from '../contract/text/text.ts'
import { canonicalise } from '../moderation/pipeline/canonicalise.ts'
import type { Database } from '../platform/database/database.ts'
import { harmLevels } from '../policy/category.ts'
import { type PolicyCategoryId, policyCategoryIds } from '../policy/policy.ts'
import { type Sites, siteOf } from '../posts/sites.ts'
import { numberOf } from './case-kinds.ts'
import { isAboutEdit, type QueuedCase } from './queue.ts'
import { type Excerpt, excerptOf, findSimilarPosts } from './similar-posts.ts'

export type CaseView = Awaited<ReturnType<typeof readCase>>

/** Everything needed to decide a case, read in a few statements. */
export async function readCase(db: Database, sites: Sites, found: QueuedCase, at: Date) {
  const { post_id: postId, edit, account_id: accountId } = found
  const [post, edited, author, trust, counts, recent, history, reports, appeal, duplicates] = await Promise.all([
    readPost(db, postId),
    edit > 0 ? readEdit(db, postId, edit) : undefined,
    readAuthor(db, accountId),
    readTrust(db, { accountId, at }),
    countPosts(db, accountId),
    listRecent(db, sites, { accountId, except: postId }),
    listHistory(db, postId),
    found.kind === 'report' ? listReports(db, found) : [],
    readAppeal(db, postId, edit),
    findSimilarPosts(db, sites, { postId, edit, accountId }),
  ])
  const { kind } = siteOf(sites, post.kind)
  const isOfEdit = isAboutEdit(found)
  const shown = isOfEdit ? (edited?.content ?? null) : post.content
  return {
    case: found,
    post,
    /** The content to judge; null if it is no longer stored. */
    shown: shown as object | null,
    /** The public version while an edit is waiting. */
    before: isOfEdit ? (post.content as object | null) : null,
    links: shown ? linksOf(kind.texts(shown as object)) : [],
    /** Fields whose canonical text differs from the displayed text. */
    asJudged: asJudged([...(shown ? kind.texts(shown as object) : []), { field: 'author’s name', text: author.name }]),
    author: { ...author, trust, counts, recent },
    duplicates,
    model: modelOf(history.filter((decision) => decision.edit === edit)),
    history,
    reports,
    appeal: appeal ?? null,
    suspected: suspectedOf(found.categories),
  }
}

/** The categories that the case names, most harmful first. */
const suspectedOf = (named: readonly string[]): PolicyCategoryId[] =>
  policyCategoryIds.filter((id) => named.includes(id)).sort((a, b) => harmLevels[b] - harmLevels[a])

const readPost = (db: Database, postId: string) =>
  db
    .selectFrom('posts')
    .select(['id', 'kind', 'status', 'content', 'created_at', 'published_at', 'edited_at', 'visible_until'])
    .where('id', '=', postId)
    .executeTakeFirstOrThrow()

const readEdit = (db: Database, postId: string, number: number) =>
  db
    .selectFrom('post_edits')
    .select(['content', 'status', 'submitted_at'])
    .where('post_id', '=', postId)
    .where('number', '=', number)
    .executeTakeFirst()

const readAuthor = (db: Database, accountId: string) =>
  db
    .selectFrom('accounts')
    .select(['id', 'name', 'standing', 'strikes', 'created_at'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow()

async function countPosts(db: Database, accountId: string): Promise<Partial<Record<PostStatus, number>>> {
  const rows = await db
    .selectFrom('posts')
    .select(['status', (query) => query.fn.countAll<number>().as('count')])
    .where('account_id', '=', accountId)
    .groupBy('status')
    .execute()
  return Object.fromEntries(rows.map(({ status, count }) => [status, count]))
}

const recentShown = 10

type Recent = {
  id: string
  kind: string
  status: PostStatus
  created_at: Date
  outcome: string | null
  category: string | null
} & Excerpt

type Wanted = { accountId: string; except: string }

/** The author's other posts, newest first, each with the latest decision on it. */
async function listRecent(db: Database, sites: Sites, { accountId, except }: Wanted): Promise<Recent[]> {
  const { rows } = await sql<Omit<Recent, keyof Excerpt> & { content: unknown }>`
    select posts.id, posts.kind, posts.status, posts.created_at, posts.content, last.outcome, last.category
    from posts left join lateral (
      select outcome, category from moderation_decisions where post_id = posts.id order by id desc limit 1
    ) last on true
    where posts.account_id = ${accountId} and posts.id <> ${except}
    order by posts.id desc limit ${recentShown}`.execute(db)
  return rows.map(({ content, ...post }) => ({ ...post, ...excerptOf(sites, { ...post, content }) }))
}

const listHistory = (db: Database, postId: string) =>
  db
    .selectFrom('moderation_decisions')
    .select(['id', 'edit', 'outcome', 'category', 'automated', 'actor', 'policy_version', 'decided_at'])
    .select(['model', 'model_version', 'scores'])
    .where('post_id', '=', postId)
    .orderBy('id')
    .execute()

const reportsShown = 50

const listReports = (db: Database, { post_id, key }: QueuedCase) =>
  db
    .selectFrom('reports')
    .select(['category', 'detail', 'received_at', (query) => query('account_id', 'is not', null).as('by_account')])
    .where('post_id', '=', post_id)
    .where('case_number', '=', numberOf(key))
    .orderBy('received_at')
    .limit(reportsShown)
    .execute()

const readAppeal = (db: Database, postId: string, edit: number) =>
  db
    .selectFrom('appeals')
    .select(['message', 'submitted_at'])
    .where('post_id', '=', postId)
    .where('edit', '=', edit)
    .executeTakeFirst()

const asJudged = (parts: readonly { field: string; text: string }[]) =>
  parts
    .map(({ field, text }) => ({ field, text, judged: canonicalise(text) }))
    .filter(({ text, judged }) => judged !== text)
    .map(({ field, judged }) => ({ field, text: judged }))

/** The recorded scores. Older decisions have only those of the local model (`classifier`) and the judge. */
type Scores = {
  /** The row of the decision table. */
  row?: string
  thresholds?: string
  /** The trust level that the post was judged with, and why it was `new`. */
  standing?: Standing
  because?: Because[]
  rules?: Record<string, number>
  classifier?: Record<string, number>
  /** Whether the local model could judge the text. */
  judged?: boolean
  overall?: number
  mentions_minors?: boolean
  judge?: { verdict: string; category: string | null; score: number }
}

/** The latest result of the moderation stages; null if there is none. */
function modelOf(history: Awaited<ReturnType<typeof listHistory>>) {
  const asked = history.findLast(({ automated, model }) => automated && model !== null)
  if (!asked) return null
  const { classifier = {}, judge = null, row = null, thresholds = null, ...scores } = asked.scores as Scores
  return {
    ...{ name: String(asked.model), version: asked.model_version, classifier, judge, row, thresholds },
    rules: scores.rules ?? null,
    couldJudge: scores.judged !== false,
    /** The probability of any violation; null for decisions made before this was measured. */
    overall: scores.overall ?? null,
    mentionsMinors: scores.mentions_minors === true,
    /** Null for decisions made before trust existed. */
    standing: scores.standing ?? null,
    because: scores.because ?? [],
  }
}

type ShownLink = {
  url: string
  /** The host in ASCII (punycode), which exposes look-alike names. */
  host: string
}

/** Each link in a post once, in reading order. */
export function linksOf(texts: readonly TextPart[]): ShownLink[] {
  const urls = new Set(texts.flatMap(({ text }) => findLinks(text)))
  return [...urls].map((url) => ({
    url,
    host: URL.canParse(url) ? new URL(url).host : 'invalid address',
  }))
}
