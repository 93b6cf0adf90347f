import { sql } from 'kysely'
import type { ReportOutcome } from '../../generated/database-types.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Transaction } from '../platform/database/database.ts'
import { observeAtScrape } from '../platform/observability/instruments.ts'
import { harmLevels, urgentLevel } from '../policy/category.ts'
import { policyCategoryIds } from '../policy/policy.ts'

export type OpenCase = {
  post_id: string
  kind: string
  opened_at: Date
  reports: number
  /** The number of reports per category. */
  categories: Record<string, number>
}

const urgentCategories = policyCategoryIds.filter((id) => harmLevels[id] === urgentLevel)

/** The open cases about posts that are still public, urgent ones first, then oldest first. */
export async function listOpenCases(db: Database, limit: number): Promise<OpenCase[]> {
  const { rows } = await sql<OpenCase>`
    select cases.post_id, posts.kind, cases.opened_at, gathered.reports, gathered.categories
    from report_cases cases
    join posts on posts.id = cases.post_id
    cross join lateral (
      select sum(times)::int as reports, jsonb_object_agg(category, times) as categories from (
        select category, count(*) as times from reports
        where post_id = cases.post_id and case_number = cases.number group by category
      ) counted
    ) gathered
    where cases.closed_at is null and posts.status = 'published'
    order by gathered.categories ?| ${urgentCategories} desc, cases.opened_at, cases.post_id limit ${limit}`.execute(db)
  return rows
}

/** How many open cases are counted, so that a scrape stays cheap. */
const casesCountedTo = 10_000

/** The number of open cases, up to a bound, and when the oldest was opened. */
export async function countOpenCases(db: Database): Promise<{ open: number; oldest: Date | null }> {
  const first = db
    .selectFrom('report_cases')
    .innerJoin('posts', 'posts.id', 'report_cases.post_id')
    .select('opened_at')
    .where('closed_at', 'is', null)
    .where('posts.status', '=', 'published')
    .orderBy('opened_at')
    .limit(casesCountedTo)
  return db
    .selectFrom(first.as('first'))
    .select((eb) => [eb.fn.countAll<number>().as('open'), eb.fn.min('opened_at').as('oldest')])
    .executeTakeFirstOrThrow()
}

/** The open case about a post with its first reports; undefined if there is none. */
export async function readOpenCase(db: Database, postId: string, limit: number) {
  const open = await db
    .selectFrom('report_cases')
    .select(['number', 'opened_at'])
    .where('post_id', '=', postId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  if (!open) return undefined
  const reports = await db
    .selectFrom('reports')
    .select(['id', 'received_at', 'category', 'detail', 'contact_email', 'account_id'])
    .where('post_id', '=', postId)
    .where('case_number', '=', open.number)
    .orderBy('received_at')
    .orderBy('id')
    .limit(limit)
    .execute()
  return { ...open, reports }
}

type Closing = { postId: string; outcome: ReportOutcome; at: Date }

/** Closes the open case about a post. Returns false if there is none. */
export async function closeCase(tx: Transaction, { postId, outcome, at }: Closing): Promise<boolean> {
  const closed = await tx
    .updateTable('report_cases')
    .set({ closed_at: at, outcome })
    .where('post_id', '=', postId)
    .where('closed_at', 'is', null)
    .executeTakeFirst()
  return closed.numUpdatedRows === 1n
}

type ClosingRead = { postId: string; number: number; outcome: ReportOutcome; readUntil: Date; at: Date }

/**
 * Closes a case with the reports that the reviewer saw. Later reports open a new case, so that no unread report is
 * closed. Returns false if the case was not open.
 */
export async function closeReadReports(tx: Transaction, closing: ClosingRead): Promise<boolean> {
  const { postId, number, outcome, readUntil, at } = closing
  const { rows } = await sql<{ closed: boolean }>`
    select close_read_reports(${postId}, ${number}::smallint, ${outcome}, ${readUntil}, ${at}) as closed`.execute(tx)
  return rows[0]?.closed === true
}

/** Exposes the number of open cases and the age of the oldest as metrics, which are read at each scrape. */
export function observeOpenCases(db: Database, clock: Clock): Disposable {
  return observeAtScrape(['reports.cases.open', 'reports.cases.oldest.seconds'], async (observe) => {
    const { open, oldest } = await countOpenCases(db)
    observe('reports.cases.open', open)
    observe('reports.cases.oldest.seconds', oldest ? (clock.now().getTime() - oldest.getTime()) / 1_000 : 0)
  })
}
