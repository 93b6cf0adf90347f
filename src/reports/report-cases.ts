import { sql } from 'kysely'
import type { ReportOutcome } from '../../generated/database-types.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database, Transaction } from '../platform/database/database.ts'
import { observeAtScrape } from '../platform/observability/instruments.ts'

/** How many open cases are counted, so that a scrape stays cheap. */
const casesCountedTo = 10_000

/** The number of open cases, up to a bound, and when the oldest was opened. */
async function countOpenCases(db: Database): Promise<{ open: number; oldest: Date | null }> {
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

/** Closes the open case about a post that is removed, if there is one. */
export async function closeCase(tx: Transaction, { postId, at }: { postId: string; at: Date }): Promise<void> {
  await tx
    .updateTable('report_cases')
    .set({ closed_at: at, outcome: 'removed' })
    .where('post_id', '=', postId)
    .where('closed_at', 'is', null)
    .execute()
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
