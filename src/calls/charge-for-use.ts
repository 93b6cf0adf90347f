import assert from 'node:assert/strict'
import { takeUse } from '../accounts/allowances.ts'
import type { Call, KeyedCall } from '../contract/call.ts'
import { allowanceFor, type Operation } from '../contract/define-operation.ts'
import { allowances } from '../contract/limits.ts'
import { Problem } from '../contract/problems/problem.ts'
import { askForRecharge } from '../ledger/auto-recharge.ts'
import { charge } from '../ledger/charges.ts'
import { prices } from '../ledger/prices.ts'
import { assertAffordable, paid } from '../ledger/spending-limits.ts'
import { isDatabaseUnavailable, isStatementTimeout } from '../platform/database/database.ts'

const useMicros = { search: prices.searchMicros } as const
/** The limit of uncharged uses that time out. */
const timedOutUses = { search: 'timed-out-searches-per-account' } as const
type Price = keyof typeof useMicros

/**
 * Does the work, then charges for it, so that failures cost nothing, except for timeouts beyond their daily limit. If
 * the charge fails, the caller gets no result.
 */
export async function chargeForUse<Answer>(
  call: Call,
  { price, maxChargeMicros }: { price: Price; maxChargeMicros: number | null },
  work: (call: Call) => Promise<Answer>,
): Promise<Answer> {
  assert(isKeyed(call), 'only an operation that requires a key can be charged')
  const amountMicros = useMicros[price]
  if (maxChargeMicros !== null && maxChargeMicros < amountMicros)
    throw new Problem('max_charge_exceeded', 'The free quota is used up, and the price exceeds max_charge_micros.', {
      members: { required_micros: amountMicros },
    })
  await assertAffordable(call, amountMicros)
  const bookOnce = () =>
    paid(
      call,
      () => amountMicros,
      () => book(call, price, amountMicros),
    )
  try {
    const answer = await work({ ...call, metering: { freeRemaining: 0, chargedMicros: amountMicros } })
    await bookOnce()
    return answer
  } catch (error) {
    if (!isTimeoutProblem(error) || (await takeTimeout(call, price)) !== null) throw error
    await bookOnce()
    const { max } = allowances[timedOutUses[price]]
    throw error.with(
      { charged_micros: amountMicros },
      `This ${price} was charged, because today’s ${max} uncharged timeouts are used up.`,
    )
  }
}

/** A call that timed out cost us work: without a limit, a caller could repeat the slowest queries for free. */
export const isTimeoutProblem = (error: unknown): error is Problem =>
  error instanceof Problem && isStatementTimeout(error.cause)

/** Counted per account, so that a new key brings no new uses. Returns null if none is left. */
function takeTimeout({ caller, clock, sideDb }: KeyedCall, price: Price): Promise<number | null> {
  const allowance = timedOutUses[price]
  const use = { allowance, subject: caller.accountId, at: clock.now() }
  return takeUse(sideDb, use, allowances[allowance].max)
}

const isKeyed = (call: Call): call is KeyedCall => call.caller !== null

/**
 * Charges once per request id. If a process dies before it responds, the gateway sends the request to the next process
 * with the same id. If the database connection is lost, the charge is retried, because it may not have been booked.
 */
function book({ db, caller, clock, logger, requestId }: KeyedCall, price: Price, amountMicros: number) {
  const { accountId, keyId } = caller
  const subject = `${price}:${requestId}`
  const once = () => charge(db, { accountId, keyId, amountMicros, reason: price, subject, at: clock.now() })
  return once().catch((error) => {
    if (!isDatabaseUnavailable(error)) throw error
    return once().catch((again) => {
      if (isDatabaseUnavailable(again))
        logger.error(
          { request_id: requestId, account_id: accountId, subject },
          'a charge may have been booked without a response',
        )
      throw again
    })
  })
}

/** Requests a recharge if the operation can cost money and the owner enabled auto-recharge. Errors are only logged. */
export async function keepRecharged(operation: Operation, call: Call): Promise<void> {
  const { caller, db, clock, logger, requestId } = call
  if (!caller?.autoRecharges || !mayCost(operation)) return
  try {
    await askForRecharge(db, { accountId: caller.accountId, at: clock.now() })
  } catch (error) {
    logger.error({ request_id: requestId, account_id: caller.accountId, error }, 'could not request a recharge')
  }
}

function mayCost(operation: Operation): boolean {
  const allowance = allowanceFor(operation, true)
  return operation.problems.includes('insufficient_balance') || Boolean(allowance && allowances[allowance].price)
}
