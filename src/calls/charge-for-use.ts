import assert from 'node:assert/strict'
import { Problem } from '../contract/problem.ts'
import { charge } from '../ledger/charge.ts'
import { assertAffordable, paid } from '../ledger/insufficient-balance.ts'
import { prices } from '../ledger/prices.ts'
import type { Call, KeyedCall } from '../platform/call.ts'
import { isDatabaseUnavailable } from '../platform/database.ts'

const useMicros = { search: prices.searchMicros } as const
type Price = keyof typeof useMicros

/** Does the work and then takes its price, so that what fails costs nothing; without the money there is no answer. */
export async function chargeForUse<Answer>(
  call: Call,
  { price, maxChargeMicros }: { price: Price; maxChargeMicros: number | null },
  work: (call: Call) => Promise<Answer>,
): Promise<Answer> {
  assert(isKeyed(call), 'only what needs a key can be charged')
  const amountMicros = useMicros[price]
  if (maxChargeMicros !== null && maxChargeMicros < amountMicros)
    throw new Problem('max_charge_exceeded', 'The free uses of today are used up; this one would cost.', {
      members: { required_micros: amountMicros },
    })
  await assertAffordable(call, amountMicros)
  const answer = await work({ ...call, metering: { freeRemaining: 0, chargedMicros: amountMicros } })
  await paid(
    call,
    () => amountMicros,
    () => book(call, price, amountMicros),
  )
  return answer
}

const isKeyed = (call: Call): call is KeyedCall => call.caller !== null

/**
 * Booked once for each request, as the gateway names it: when a process dies before it has answered, the gateway sends
 * the request to the next one under the same name. A lost connection is asked again, since the charge may stand.
 */
function book({ db, caller, clock, logger, requestId }: KeyedCall, price: Price, amountMicros: number) {
  const { accountId, keyId } = caller
  const subject = `${price}:${requestId}`
  const once = () => charge(db, { accountId, keyId, amountMicros, reason: price, subject, at: clock.now() })
  return once().catch((error) => {
    if (!isDatabaseUnavailable(error)) throw error
    return once().catch((again) => {
      if (isDatabaseUnavailable(again))
        logger.error({ request_id: requestId, account_id: accountId, subject }, 'a charge may stand without an answer')
      throw again
    })
  })
}
