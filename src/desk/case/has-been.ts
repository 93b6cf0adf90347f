import { type CaseKind, kindOfCase } from '../../cases/kinds.ts'
import type { Database } from '../../platform/database.ts'

/** Whether there ever was such a case, for one that does not wait. */
export async function hasBeen(db: Database, key: string): Promise<boolean> {
  const [, subject = '', number = ''] = /^[a-z]+:([a-z0-9_]+)(?::(\d{1,4}))?$/.exec(key) ?? []
  const kind = kindOfCase(key)
  if (!kind || (kind === 'check' || kind === 'audit') !== (number === '')) return false
  return (await traces[kind](db, subject, Number(number))) !== undefined
}

type Trace = (db: Database, subject: string, number: number) => Promise<unknown>

/** What every case of the kind has left behind. */
const traces: Record<CaseKind, Trace> = {
  review: (db, postId, edit) =>
    db
      .selectFrom('moderation_decisions')
      .select('id')
      .where('post_id', '=', postId)
      .where('edit', '=', edit)
      .where('outcome', '=', 'review')
      .executeTakeFirst(),
  report: (db, postId, number) =>
    db
      .selectFrom('report_cases')
      .select('number')
      .where('post_id', '=', postId)
      .where('number', '=', number)
      .executeTakeFirst(),
  appeal: (db, postId, edit) =>
    db.selectFrom('appeals').select('edit').where('post_id', '=', postId).where('edit', '=', edit).executeTakeFirst(),
  check: async (db, id) =>
    /^\d{1,15}$/.test(id)
      ? db
          .selectFrom('moderation_decisions')
          .select('id')
          .where('id', '=', Number(id))
          .where('automated', '=', true)
          .where('outcome', '=', 'abuse')
          .executeTakeFirst()
      : undefined,
  audit: async (db, id) =>
    /^\d{1,15}$/.test(id)
      ? db.selectFrom('audit_samples').select('post_id').where('decision_id', '=', Number(id)).executeTakeFirst()
      : undefined,
}
