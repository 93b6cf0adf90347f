import { allowanceFor, type Operation } from '../contract/define-operation.ts'
import { allowances } from '../contract/limits.ts'
import { askForRecharge } from '../ledger/auto-recharge.ts'
import type { Call } from '../platform/call.ts'

/** After what may have cost something, asks for a recharge where the owner has wished it. The answer never fails for it. */
export async function keepRecharged(operation: Operation, call: Call): Promise<void> {
  const { caller, db, clock, logger, requestId } = call
  if (!caller?.autoRecharges || !mayCost(operation)) return
  try {
    await askForRecharge(db, { accountId: caller.accountId, at: clock.now() })
  } catch (error) {
    logger.error({ request_id: requestId, account_id: caller.accountId, error }, 'a recharge was not asked for')
  }
}

function mayCost(operation: Operation): boolean {
  const allowance = allowanceFor(operation, true)
  return operation.problems.includes('insufficient_balance') || Boolean(allowance && allowances[allowance].price)
}
