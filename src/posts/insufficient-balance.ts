import { Problem } from '../contract/problem.ts'
import { readBalance } from '../ledger/balance.ts'
import { BalanceTooLow } from '../ledger/book-transfer.ts'
import type { KeyedCall } from '../platform/call.ts'

/** Runs paid work. Where the money does not reach, nothing stays of it, and the caller is told what is missing. */
export async function paid<Result>(
  { db, caller }: KeyedCall,
  priceMicros: () => number,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof BalanceTooLow)) throw error
    const { prepaidMicros, owedMicros } = await readBalance(db, caller.accountId)
    const required = priceMicros() + owedMicros
    throw new Problem('insufficient_balance', `This needs ${required} micro-dollars, and ${prepaidMicros} are left.`, {
      members: { required_micros: required, balance_micros: prepaidMicros },
      cause: error,
    })
  }
}
