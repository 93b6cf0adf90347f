import { retention } from '../../contract/retention/periods.ts'
import type { Database } from '../../platform/database/database.ts'

/** The maximum number of listed posts. If there are more, `is_complete` is false, and a mirror may have missed some. */
const most = 10_000

/** The document for mirrors: posts taken down within their retention period, latest first. */
export async function readLatelyWithdrawn(db: Database, kind: string) {
  const rows = await db
    .selectFrom('withdrawals')
    .innerJoin('posts', 'posts.id', 'withdrawals.post_id')
    .select(['withdrawals.post_id as id', 'posts.status', 'withdrawals.withdrawn_at'])
    .where('withdrawals.kind', '=', kind)
    .orderBy('withdrawals.withdrawn_at', 'desc')
    .orderBy('withdrawals.post_id', 'desc')
    .limit(most + 1)
    .execute()
  return {
    kind,
    days: retention.withdrawals.keptSeconds / 86_400,
    is_complete: rows.length <= most,
    data: rows.slice(0, most).map(({ id, status, withdrawn_at }) => ({
      id,
      status,
      withdrawn_at: withdrawn_at.toISOString(),
    })),
  }
}
