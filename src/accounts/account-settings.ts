import { sql } from 'kysely'
import type { KeyedCall } from '../contract/call.ts'
import { Problem } from '../contract/problems/problem.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'
import { recordOwnerAction } from './owner-audit-log.ts'

type Change = { accountId: string; enabled: boolean; at: Date }

/** Turns emails about posts in review on or off. */
export function changeReviewMails(db: Database, { accountId, enabled, at }: Change): Promise<void> {
  return inTransaction(db, async (tx) => {
    await tx.updateTable('accounts').set({ mails_about_reviews: enabled }).where('id', '=', accountId).execute()
    await recordOwnerAction(tx, { accountId, action: 'owner.change_review_mails', at, details: { enabled } })
  })
}

export type AutoRechargeChange = {
  enabled?: boolean | undefined
  threshold_micros?: number | undefined
  amount_micros?: number | undefined
}

/** Turns auto-recharge off. An agent can stop automatic payments, but only its owner can start them. */
export async function turnOffAutoRecharge({ db, caller }: KeyedCall, change: AutoRechargeChange): Promise<void> {
  if (change.enabled) throw new Problem('owner_required', 'Only the owner can turn auto-recharge on.')
  if (change.threshold_micros !== undefined || change.amount_micros !== undefined)
    throw new Problem('owner_required', 'Only the owner can change the auto-recharge threshold and amount.')
  await sql`select turn_off_auto_recharge(${caller.accountId})`.execute(db)
}
