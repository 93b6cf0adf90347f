import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import { inBatches } from '../platform/repeat.ts'

/** Long enough to ask the reporter questions and to decide an appeal. After that, the reporter's text is not needed. */
export const reportTextDays = 90

/** Closes the cases about removed and deleted posts, and erases reporters' data in cases closed long ago. */
export async function settleReports(db: Database, at: Date): Promise<void> {
  await closeCasesOfGonePosts(db, at)
  await eraseReportTexts(db, new Date(at.getTime() - reportTextDays * 86_400_000))
}

const closeCasesOfGonePosts = (db: Database, at: Date) =>
  inBatches(
    db,
    (batch) => sql`
      update report_cases set closed_at = ${at}, outcome = gone.outcome from (
        select cases.post_id, cases.number,
          (case posts.status when 'removed' then 'removed' else 'withdrawn' end)::report_outcome as outcome
        from report_cases cases join posts on posts.id = cases.post_id
        where cases.closed_at is null and posts.status in ('removed', 'deleted')
        limit ${batch} for no key update of cases skip locked
      ) gone
      where report_cases.post_id = gone.post_id and report_cases.number = gone.number`,
  )

const eraseReportTexts = (db: Database, closedBefore: Date) =>
  inBatches(
    db,
    (batch) => sql`
      update reports set detail = null, contact_email = null, account_id = null where id in (
        select reports.id from reports
        join report_cases cases on cases.post_id = reports.post_id and cases.number = reports.case_number
        where coalesce(detail, contact_email, account_id) is not null and cases.closed_at <= ${closedBefore}
        limit ${batch} for no key update of reports skip locked
      )`,
  )
