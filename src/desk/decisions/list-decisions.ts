import type { CaseKind, VerdictId } from '../../cases/kinds.ts'
import type { Database } from '../../platform/database.ts'

export type ListedDecision = Awaited<ReturnType<typeof listDecisions>>[number]

type Wanted = { staffId?: string; limit: number }

/** The last decisions of one member, or of everybody, the newest first. What was undone was never one. */
export async function listDecisions(db: Database, { staffId, limit }: Wanted) {
  const rows = await db
    .selectFrom('desk_decisions')
    .innerJoin('staff', 'staff.id', 'desk_decisions.staff_id')
    .innerJoin('posts', 'posts.id', 'desk_decisions.post_id')
    .innerJoin('accounts', 'accounts.id', 'desk_decisions.account_id')
    .select(['case_key', 'case_kind', 'edit', 'verdict', 'category', 'seconds', 'desk_decisions.decided_at', 'effect'])
    .select(['staff.name', 'posts.kind as site', 'accounts.name as author'])
    .$if(staffId !== undefined, (query) => query.where('staff_id', '=', String(staffId)))
    .orderBy('desk_decisions.decided_at', 'desc')
    .orderBy('case_key')
    .limit(limit)
    .execute()
  return rows.map((row) => ({ ...row, case_kind: row.case_kind as CaseKind, verdict: row.verdict as VerdictId }))
}
