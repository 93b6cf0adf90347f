import { sql } from 'kysely'
import type { KeyedCall } from '../contract/call.ts'
import { Problem } from '../contract/problems/problem.ts'
import { secondsToMidnight, startOfUtcDay } from '../contract/utc-day.ts'
import type { Database } from '../platform/database/database.ts'
import { type Balance, readBalance } from './balance.ts'
import { BalanceTooLow, KeyCapReached } from './transfers.ts'

/** A key's daily cap and its spending in the current UTC day. */
export type KeySpending = { capMicros: number | null; spentMicros: number }

export async function readKeySpending(db: Database, keyId: string, at: Date): Promise<KeySpending> {
  const { daily_cap_micros, spent_micros } = await db
    .selectFrom('api_keys')
    .select(['daily_cap_micros', spentToday(at).as('spent_micros')])
    .where('id', '=', keyId)
    .executeTakeFirstOrThrow()
  return { capMicros: daily_cap_micros, spentMicros: spent_micros }
}

/** For a query over `api_keys`: each key's spending since 00:00 UTC. Refunds since then do not reduce it. */
export const spentToday = (at: Date) => sql<number>`(
  select coalesce(sum(amount_micros), 0)::bigint from ledger_transfers
  where key_id = api_keys.id and entered_at >= ${startOfUtcDay(at)}
)`

/** Runs paid work. If the balance or the key's cap is too low, throws a problem with the amounts. */
export async function paid<Result>(
  { db, caller, clock }: KeyedCall,
  priceMicros: () => number,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BalanceTooLow)
      throw insufficientBalance(await readBalance(db, caller.accountId), priceMicros(), error)
    if (!(error instanceof KeyCapReached)) throw error
    const at = clock.now()
    throw keyCapReached(await readKeySpending(db, caller.keyId, at), at, error)
  }
}

/** Rejects a call early if it cannot be paid for at the moment. Only the charge itself is definitive. */
export async function assertAffordable({ db, caller, clock }: KeyedCall, priceMicros: number): Promise<void> {
  const at = clock.now()
  const balance = await readBalance(db, caller.accountId)
  if (balance.owedMicros > 0 || balance.prepaidMicros < priceMicros) throw insufficientBalance(balance, priceMicros)
  const spending = await readKeySpending(db, caller.keyId, at)
  if (spending.capMicros !== null && spending.spentMicros + priceMicros > spending.capMicros)
    throw keyCapReached(spending, at)
}

function insufficientBalance({ prepaidMicros, owedMicros }: Balance, priceMicros: number, cause?: BalanceTooLow) {
  const required = priceMicros + owedMicros
  return new Problem(
    'insufficient_balance',
    `This needs ${required} micro-dollars, but only ${prepaidMicros} are left.`,
    {
      members: { required_micros: required, balance_micros: prepaidMicros },
      cause,
    },
  )
}

/** The owner may just have removed the cap; then only the spending can be reported. */
function keyCapReached({ capMicros, spentMicros }: KeySpending, at: Date, cause?: KeyCapReached) {
  return new Problem('key_cap_reached', 'This would exceed the key’s daily cap.', {
    members: { ...(capMicros !== null && { daily_cap_micros: capMicros }), spent_micros: spentMicros },
    headers: { 'retry-after': String(secondsToMidnight(at)) },
    cause,
  })
}
