import { sql } from 'kysely'
import { firstLook } from '../moderation/numbers/first-look.ts'
import type { Database } from '../platform/database.ts'
import type { Span } from './count-work.ts'
import type { Audited } from './kinds.ts'

/** Decisions of the model alone that were drawn at one share; how many people have looked at, and how many were wrong. */
export type AuditCount = { audited: Audited; share: number; drawn: number; seen: number; wrong: number }

/** By what had become of the post and by share: a sum over different shares would say nothing of all posts. */
export async function countAudits(db: Database, { from, to }: Span): Promise<AuditCount[]> {
  const { rows } = await sql<AuditCount>`
    select case sample.outcome when 'publish' then 'published' else 'rejected' end as audited, share::float8 as share,
      count(*) as drawn, count(look.decided_at) as seen, count(*) filter (where look.wrong) as wrong
    from audit_samples sample left join lateral (${firstLook}) look on true
    where sample.sampled_at >= ${from} and sample.sampled_at < ${to} group by 1, 2 order by 1, 2`.execute(db)
  return rows
}
