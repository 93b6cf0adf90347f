import type { ReportOutcome } from '../../generated/database-types.ts'
import { lockBalance } from '../ledger/balance.ts'
import { dismissAppeal, upholdAppeal } from '../moderation/appeals/settle-appeal.ts'
import { applyDecision } from '../moderation/decisions/apply-decision.ts'
import { removePost } from '../moderation/decisions/decide-by-person.ts'
import type { Clock } from '../platform/clock.ts'
import { type Database, inTransaction, type Transaction } from '../platform/database/database.ts'
import type { Logger } from '../platform/observability/logger.ts'
import { startRepeating } from '../platform/repeat.ts'
import { isAbusive, type PolicyCategoryId } from '../policy/policy.ts'
import type { Sites } from '../posts/sites.ts'
import { lockPost } from '../posts/status/change-status.ts'
import { closeCase, closeReadReports } from '../reports/report-cases.ts'
import { staffActor } from '../staff/audit-log.ts'
import { kindOfCase, numberOf, type VerdictId } from './case-kinds.ts'

export type Applying = { db: Database; clock: Clock; sites: Sites; logger: Logger }

/** The maximum number of decisions per round. */
const batch = 100

/**
 * Applies the decisions that can no longer be undone, each in a separate transaction. If one cannot be applied, the
 * error is logged, the others continue, and it is retried later.
 */
export async function applyDue({ db, clock, sites, logger }: Applying, except: ReadonlySet<string>): Promise<Applied> {
  const due = await db
    .selectFrom('desk_decisions')
    .select('case_key')
    .where('applied_at', 'is', null)
    .where('due_at', '<=', clock.now())
    .$if(except.size > 0, (query) => query.where('case_key', 'not in', [...except]))
    .orderBy('due_at')
    .limit(batch)
    .execute()
  const failed: string[] = []
  for (const { case_key: key } of due) {
    try {
      await inTransaction(db, (tx) => applyOne(tx, sites, { key, at: clock.now() }))
    } catch (error) {
      failed.push(key)
      logger.error({ case: key, error }, 'could not apply a desk decision')
    }
  }
  return { failed, isMore: due.length === batch }
}

export type Applied = { failed: string[]; isMore: boolean }

async function applyOne(tx: Transaction, sites: Sites, { key, at }: { key: string; at: Date }): Promise<void> {
  const decision = await tx
    .selectFrom('desk_decisions')
    .select(['case_key', 'post_id', 'edit', 'account_id', 'staff_id', 'verdict', 'category', 'decided_at'])
    .where('case_key', '=', key)
    .where('applied_at', 'is', null)
    // Skips a decision that is being undone or that another worker is applying.
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
  if (!decision) return
  const due = decision as Due
  const isDone = (await mayBeChanged(tx, due)) && (await carryOut(tx, sites, due, at))
  const effect = isDone ? 'done' : 'nothing_to_do'
  await tx.updateTable('desk_decisions').set({ applied_at: at, effect }).where('case_key', '=', key).execute()
  const { account_id, verdict, category } = decision
  const details = JSON.stringify({ case: key, verdict, category, effect })
  await tx
    .insertInto('audit_log')
    .values({ at, actor: 'system:desk', action: 'case.apply', account_id, details })
    .execute()
}

type Due = {
  case_key: string
  post_id: string
  edit: number
  account_id: string
  staff_id: string
  verdict: VerdictId
  category: PolicyCategoryId | null
  decided_at: Date
}

/**
 * If the account was closed meanwhile, only decisions on public posts still apply. Uses the same locks as closing an
 * account, so that closing is either complete or has not begun.
 */
async function mayBeChanged(tx: Transaction, { post_id, account_id, verdict }: Due) {
  await lockPost(tx, post_id)
  await lockBalance(tx, account_id)
  const { standing } = await tx
    .selectFrom('accounts')
    .select('standing')
    .where('id', '=', account_id)
    .executeTakeFirstOrThrow()
  return standing !== 'closed' || verdict === 'remove' || verdict === 'keep'
}

/** False if nothing is left to do, because the author deleted the post or an operator decided first. */
function carryOut(tx: Transaction, sites: Sites, due: Due, at: Date): Promise<boolean> {
  const { post_id: postId, edit, category, staff_id } = due
  const actor = staffActor(staff_id)
  const isAudit = kindOfCase(due.case_key) === 'audit'
  const review = (outcome: 'publish' | 'low_quality' | 'abuse', named: PolicyCategoryId | null) =>
    applyDecision(tx, sites, {
      ...{ postId, edit, outcome, category: named, from: ['review'], at },
      by: { automated: false, actor },
    })
  const close = (outcome: ReportOutcome, readUntil: Date) =>
    closeReadReports(tx, { postId, number: numberOf(due.case_key), outcome, readUntil, at })
  const ways: Record<VerdictId, () => Promise<boolean>> = {
    publish: () => review('publish', null),
    reject: () => review(isAbusive(category) ? 'abuse' : 'low_quality', category),
    low_quality: () => review('low_quality', 'low_quality'),
    keep: async () => isAudit || close('dismissed', due.decided_at),
    remove: async () => {
      // Nobody has judged the current text, so the reports open a new case.
      if (await wasChanged(tx, due)) {
        if (!isAudit) await close('withdrawn', beforeAll)
        return false
      }
      if (!category || !(await removePost(tx, sites, { postId, category, actor, at }))) return false
      await closeCase(tx, { postId, at })
      return true
    },
    uphold: () => upholdAppeal(tx, sites, { postId, edit, actor, at }),
    dismiss: () => dismissAppeal(tx, { postId, edit, actor, at }),
    confirm: async () => true,
    overturn: () => upholdAppeal(tx, sites, { postId, edit, actor, at }),
  }
  return ways[due.verdict]()
}

const beforeAll = new Date(0)

async function wasChanged(tx: Transaction, { post_id, decided_at }: Due): Promise<boolean> {
  const changed = await tx
    .selectFrom('posts')
    .select('id')
    .where('id', '=', post_id)
    .where('edited_at', '>', decided_at)
    .executeTakeFirst()
  return changed !== undefined
}

/** Maximum delay after the undo window. */
const usualMs = 1_000
/** The number of rounds for which a failed decision is skipped. */
const roundsToRest = 30

/** Checks every second for decisions past their undo window and applies them. Any number of workers can run this. */
export function startApplying(parts: Applying, intervalMs = usualMs): AsyncDisposable {
  const resting = new Map<string, number>()
  return startRepeating({
    everyMs: intervalMs,
    work: async () => {
      for (const [key, rounds] of resting) rounds > 1 ? resting.set(key, rounds - 1) : resting.delete(key)
      const { failed, isMore } = await applyDue(parts, new Set(resting.keys()))
      for (const key of failed) resting.set(key, roundsToRest)
      return isMore
    },
    onError: (error) => parts.logger.warn({ error }, 'could not look for due desk decisions'),
  })
}
