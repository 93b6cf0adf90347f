import { sql } from 'kysely'
import { connect, inTransaction } from '../../../src/platform/database/database.ts'
import { policyCategoryIds } from '../../../src/policy/policy.ts'
import type { OwnDatabase } from '../../../tooling/services/databases.ts'

type ManyCases = { accountId: string; count: number; at: Date }

/**
 * Creates this many waiting cases, a fifth of each kind, up to two days old, in all categories. It writes the rows
 * without triggers and then stores the cases as the migration does: one by one would take minutes.
 */
export async function createManyCases(database: OwnDatabase, { accountId, count, at }: ManyCases): Promise<void> {
  await using admin = connect(database.adminUrl, { poolMax: 1, applicationName: 'many cases', statementTimeoutMs: 0 })
  await inTransaction(admin.db, async (tx) => {
    await sql`set local session_replication_role = replica`.execute(tx)
    await sql`
      create temporary table made on commit drop as
      select 'post_01jcmzq8e5f7r9t2' || lpad(n::text, 10, '0') as post_id,
        (array['review', 'audit', 'check', 'appeal', 'report'])[n % 5 + 1] as role,
        (${[...policyCategoryIds]}::text[])[n / 5 % ${policyCategoryIds.length}::int + 1] as category,
        ${at}::timestamptz - (1 + n % 1000) * interval '180 seconds' as at,
        1000000 + n as decision_id
      from generate_series(1, ${count}::int) n`.execute(tx)
    await sql`
      insert into posts (id, account_id, kind, status, content, facets, created_at, decided_at, published_at)
      select post_id, ${accountId}, 'message',
        (case role when 'review' then 'review' when 'audit' then 'published' when 'report' then 'published' else 'rejected' end)::post_status,
        '{"text": "A short text."}', '{}', at, at, case when role in ('audit', 'report') then at end
      from made`.execute(tx)
    await sql`
      insert into moderation_decisions (
        id, post_id, outcome, category, automated, actor, policy_version, model, model_version, decided_at
      ) overriding system value
      select decision_id, post_id,
        (case role when 'review' then 'review' when 'audit' then 'publish' when 'report' then 'publish' else 'abuse' end)::decision_outcome,
        category, true, 'model:test', '1', 'test', '1', at
      from made`.execute(tx)
    await sql`
      insert into audit_samples (decision_id, post_id, edit, outcome, share, sampled_at)
      select decision_id, post_id, 0, 'publish', 0.02, at from made where role = 'audit'`.execute(tx)
    await sql`
      insert into appeals (post_id, account_id, message, submitted_at)
      select post_id, ${accountId}, 'No.', at + interval '1 second' from made where role = 'appeal'`.execute(tx)
    await sql`
      insert into report_cases (post_id, number, opened_at)
      select post_id, 1, at from made where role = 'report'`.execute(tx)
    await sql`
      insert into reports (id, post_id, case_number, category, received_at)
      select 'rep' || substr(post_id, 5), post_id, 1, category, at from made where role = 'report'`.execute(tx)
    await sql`
      insert into open_cases (
        case_key, kind, post_id, edit, account_id, site, opened_at, since, has_deadline, categories, harm, reports, version, audited
      )
      select case_key, kind, post_id, edit, account_id, site, opened_at, since, has_deadline, categories, harm, reports, version, audited
      from case_definition on conflict do nothing`.execute(tx)
  })
  // As autovacuum does within a minute.
  for (const table of ['posts', 'moderation_decisions', 'audit_samples', 'appeals', 'reports', 'open_cases'])
    await sql`vacuum analyze ${sql.table(table)}`.execute(admin.db)
}
