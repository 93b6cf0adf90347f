import { sql } from 'kysely'
import { expiryCutoff } from '../contract/retention/periods.ts'
import type { Database } from '../platform/database/database.ts'
import { inBatches, type Purge } from '../platform/repeat.ts'

/** Closes the cases of deleted posts. */
export async function settleReports(db: Database, at: Date): Promise<void> {
  await inBatches(
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
}

/** Erases the texts of cases that were closed long ago. */
export const eraseReportTexts: Purge = (db, at) =>
  inBatches(
    db,
    (batch) => sql`
      update reports set detail = null, contact_email = null, account_id = null where id in (
        select reports.id from reports
        join report_cases cases on cases.post_id = reports.post_id and cases.number = reports.case_number
        where coalesce(detail, contact_email, account_id) is not null and cases.closed_at <= ${expiryCutoff('report-texts', at)}
        limit ${batch} for no key update of reports skip locked
      )`,
  )
