import assert from 'node:assert/strict'
import { recordOwnerAction } from '../accounts/owner-audit-log.ts'
import { prices } from '../ledger/prices.ts'
import { type Database, inTransaction } from '../platform/database/database.ts'

type AutoRecharge = {
  accountId: string
  enabled: boolean
  thresholdMicros: number
  amountMicros: number
  dailyCapMicros: number
  at: Date
}

/** Turns auto-recharge on or off and changes its settings. Resets the failure count. */
export function changeAutoRecharge(db: Database, change: AutoRecharge): Promise<'done' | 'no_card'> {
  const { accountId, enabled, thresholdMicros, amountMicros, dailyCapMicros, at } = change
  assert((prices.topUpMicros as readonly number[]).includes(amountMicros), 'amount not on the price list')
  // A recharge that leaves the balance below the threshold would trigger another.
  assert(thresholdMicros <= amountMicros, 'threshold exceeds the amount')
  assert(amountMicros <= dailyCapMicros, 'amount exceeds the daily cap')
  return inTransaction(db, async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('accounts')
      .set({
        auto_recharge_enabled: enabled,
        auto_recharge_threshold_micros: thresholdMicros,
        auto_recharge_amount_micros: amountMicros,
        auto_recharge_daily_cap_micros: dailyCapMicros,
        auto_recharge_changed_at: at,
        recharge_failures: 0,
        recharge_failed_at: null,
      })
      .where('id', '=', accountId)
      .$if(enabled, (query) => query.where('card_on_file', '=', true))
      .executeTakeFirstOrThrow()
    if (numUpdatedRows === 0n) return 'no_card'
    const amounts = { threshold_micros: thresholdMicros, amount_micros: amountMicros, daily_cap_micros: dailyCapMicros }
    await recordOwnerAction(tx, {
      accountId,
      action: 'owner.change_auto_recharge',
      at,
      details: { enabled, ...amounts },
    })
    return 'done'
  })
}
