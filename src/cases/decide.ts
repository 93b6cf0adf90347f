import { sql } from 'kysely'
import { desk } from '../contract/limits.ts'
import { type Database, inTransaction, type Transaction } from '../platform/database/database.ts'
import { type PolicyCategoryId, policyCategoryIds } from '../policy/policy.ts'
import { recordStaffAction } from '../staff/audit-log.ts'
import { kindOfCase, verdictNamed, verdictsOf } from './case-kinds.ts'
import { hold, letGo } from './claim.ts'
import { findCase, type QueuedCase } from './queue.ts'

export type DecisionRequest = {
  key: string
  staffId: string
  verdict: string
  category: string | null
  /** The `version` of the case that the person saw. */
  seen: string
  at: Date
}

export type Decided =
  | { outcome: 'decided'; dueAt: Date }
  /**
   * In order: someone else has claimed it; this person may not decide it; it is no longer open; someone decided first;
   * it changed after they saw it; the verdict is invalid.
   */
  | { outcome: 'taken' | 'barred' | 'gone' | 'decided_before' | 'changed' | 'unfit' }

/** Records a decision. It is applied once it can no longer be undone. */
export async function decideCase(db: Database, answer: DecisionRequest): Promise<Decided> {
  const { key, staffId, at } = answer
  const chosen = read(answer)
  if (!chosen) return { outcome: 'unfit' }
  return refusedAsBarred(db, async (tx) => {
    if (!(await hold(tx, answer))) return { outcome: 'taken' }
    const found = await findCase(tx, answer)
    const refusal = found ? (found.barred ? 'barred' : null) : await whyGone(tx, key)
    if (!found || refusal) {
      await letGo(tx, answer)
      return { outcome: refusal ?? 'gone' }
    }
    if (!verdictsOf(found.kind, found.audited).some(({ id }) => id === answer.verdict)) return { outcome: 'unfit' }
    if (!hasSeen(found, answer)) return { outcome: 'changed' }
    const dueAt = new Date(at.getTime() + desk.undoSeconds * 1_000)
    if (!(await keep(tx, found, { staffId, at, dueAt, ...chosen }))) return { outcome: 'decided_before' }
    await letGo(tx, answer)
    const details = { case: key, ...chosen }
    await recordStaffAction(tx, { staffId, action: 'case.decide', accountId: found.account_id, at, details })
    return { outcome: 'decided', dueAt }
  })
}

/** To remove a post, the person must have seen its current text, but not new reports, which anyone can file. */
const hasSeen = ({ version }: QueuedCase, { verdict, seen }: DecisionRequest): boolean =>
  verdict === 'remove' ? changedAt(version) === changedAt(seen) : version === seen

const changedAt = (version: string) => version.split(' ')[1]

/** The database enforces who may decide an appeal, because it also sees concurrent decisions. */
async function refusedAsBarred(db: Database, work: (tx: Transaction) => Promise<Decided>): Promise<Decided> {
  try {
    return await inTransaction(db, work)
  } catch (error) {
    if ((error as { constraint?: string }).constraint !== 'appeals_go_to_others') throw error
    return { outcome: 'barred' }
  }
}

type Chosen = { verdict: string; category: PolicyCategoryId | null }

/** Null if the case does not allow the verdict, or if a required category is missing or unknown. */
function read({ key, verdict, category }: DecisionRequest): Chosen | null {
  const kind = kindOfCase(key)
  const definition = kind && verdictNamed(kind, verdict)
  if (!definition) return null
  if (!definition.needsCategory) return { verdict, category: null }
  const named = policyCategoryIds.find((id) => id === category)
  return named ? { verdict, category: named } : null
}

type Kept = Chosen & { staffId: string; at: Date; dueAt: Date }

/** Stores the decision. False if someone decided first, because a case has only one row. */
async function keep(tx: Transaction, found: QueuedCase, { staffId, verdict, category, at, dueAt }: Kept) {
  const { rows } = await sql<{ case_key: string }>`
    insert into desk_decisions (
      case_key, case_kind, post_id, edit, account_id, staff_id, verdict, category, seconds, decided_at, due_at
    )
    select ${found.key}, ${found.kind}, ${found.post_id}, ${found.edit}, ${found.account_id}, ${staffId}, ${verdict},
      ${category}::text, greatest(0, extract(epoch from ${at}::timestamptz - claimed_at))::int, ${at}, ${dueAt}
    from desk_claims where case_key = ${found.key} and staff_id = ${staffId}
    on conflict (case_key) do nothing returning case_key`.execute(tx)
  return rows.length === 1
}

async function whyGone(tx: Transaction, key: string): Promise<'decided_before' | 'gone'> {
  const decided = await tx
    .selectFrom('desk_decisions')
    .select('staff_id')
    .where('case_key', '=', key)
    .executeTakeFirst()
  return decided ? 'decided_before' : 'gone'
}

/** Undoes a decision before it is applied and claims the case again. Only the audit log keeps a record. */
export function undoDecision(
  db: Database,
  { key, staffId, at }: { key: string; staffId: string; at: Date },
): Promise<'undone' | 'too_late'> {
  return inTransaction(db, async (tx) => {
    const undone = await tx
      .deleteFrom('desk_decisions')
      .where('case_key', '=', key)
      .where('staff_id', '=', staffId)
      .where('applied_at', 'is', null)
      .where('due_at', '>', at)
      .returning(['verdict', 'category', 'account_id'])
      .executeTakeFirst()
    if (!undone) return 'too_late'
    const { verdict, category, account_id: accountId } = undone
    await hold(tx, { key, staffId, at })
    await recordStaffAction(tx, {
      staffId,
      action: 'case.undo',
      accountId,
      at,
      details: { case: key, verdict, category },
    })
    return 'undone'
  })
}

/** The decisions this person can still undo, newest first. */
export function listUndoable(db: Database, { staffId, at }: { staffId: string; at: Date }) {
  return db
    .selectFrom('desk_decisions')
    .select(['case_key as key', 'case_kind', 'verdict', 'category', 'due_at', 'post_id'])
    .where('staff_id', '=', staffId)
    .where('applied_at', 'is', null)
    .where('due_at', '>', at)
    .orderBy('decided_at', 'desc')
    .execute()
}
