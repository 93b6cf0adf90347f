import { sql } from 'kysely'
import { Problem } from '../contract/problem.ts'
import type { KeyedCall } from '../platform/call.ts'

export type AutoRechargeChange = {
  enabled?: boolean | undefined
  threshold_micros?: number | undefined
  amount_micros?: number | undefined
}

/** An agent may stop its owner's money from being spent, never start it. */
export async function turnOffAutoRecharge({ db, caller }: KeyedCall, change: AutoRechargeChange): Promise<void> {
  if (change.enabled) throw new Problem('owner_required', 'Only the owner may turn auto-recharge on.')
  if (change.threshold_micros !== undefined || change.amount_micros !== undefined)
    throw new Problem('owner_required', 'Only the owner may change the threshold and the amount of auto-recharge.')
  await sql`select turn_off_auto_recharge(${caller.accountId})`.execute(db)
}
