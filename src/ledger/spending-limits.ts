import { sql } from 'kysely'
import type { KeyedCall } from '../contract/call.ts'
import { Problem } from '../contract/problems/problem.ts'
import { expiryCutoff } from '../contract/retention/periods.ts'
import { secondsToMidnight, utcDay } from '../contract/time/utc-day.ts'
import type { Database } from '../platform/database/database.ts'
import { deleteInBatches, type Purge } from '../platform/repeat.ts'
import { type Balance, type Debt, readBalance, readDebtsElsewhere } from './balance.ts'
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

/** For a query over `api_keys`: each key's spending in the UTC day of `at`. Refunds do not reduce it. */
export const spentToday = (at: Date) => sql<number>`coalesce((
  select spent_micros from key_spending where key_id = api_keys.id and day = ${utcDay(at)}
), 0)::bigint`

/** Deletes the totals of past days. Keeps yesterday's, because clocks differ. */
export const deleteExpiredSpending: Purge = (db, at) =>
  deleteInBatches(db, 'key_spending', sql`day < ${utcDay(expiryCutoff('key-spending', at))}`)

/** Who pays: the caller of a call, or the key of a draft. */
export type Paying = Pick<KeyedCall, 'db' | 'clock'> & { caller: Pick<KeyedCall['caller'], 'accountId' | 'keyId'> }

/** Runs paid work. If the balance or the key's cap is too low, throws a problem with the amounts. */
export async function paid<Result>(
  { db, caller, clock }: Paying,
  priceMicros: () => number,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof BalanceTooLow) {
      const balance = await readBalance(db, caller.accountId)
      const debts = await readDebtsElsewhere(db, caller.accountId)
      throw insufficientBalance(balance, { priceMicros: priceMicros(), debts, cause: error })
    }
    if (!(error instanceof KeyCapReached)) throw error
    const at = clock.now()
    throw keyCapReached(await readKeySpending(db, caller.keyId, at), at, error)
  }
}

/** Rejects a call early if it cannot be paid for at the moment. Only the charge itself is definitive. */
export async function assertAffordable({ db, caller, clock }: KeyedCall, priceMicros: number): Promise<void> {
  const at = clock.now()
  const balance = await readBalance(db, caller.accountId)
  const debts = await readDebtsElsewhere(db, caller.accountId)
  if (balance.owedMicros > 0 || debts.length > 0 || balance.prepaidMicros < priceMicros)
    throw insufficientBalance(balance, { priceMicros, debts })
  const spending = await readKeySpending(db, caller.keyId, at)
  if (spending.capMicros !== null && spending.spentMicros + priceMicros > spending.capMicros)
    throw keyCapReached(spending, at)
}

type Unpaid = { priceMicros: number; debts: readonly Debt[]; cause?: BalanceTooLow }

/** A debt of another account of the mailbox is not part of `required_micros`, because it is not paid here. */
function insufficientBalance({ prepaidMicros, owedMicros }: Balance, { priceMicros, debts, cause }: Unpaid) {
  const required = priceMicros + owedMicros
  const [debt] = debts
  const needs = `This needs ${required} micro-dollars`
  return new Problem(
    'insufficient_balance',
    debt && prepaidMicros >= required
      ? `Your owner owes ${debt.owedMicros} micro-dollars on the account ${debt.accountId}, which has the same mailbox, and must pay them there first.`
      : `${needs}, but only ${prepaidMicros} are left.`,
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
