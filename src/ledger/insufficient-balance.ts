import { Problem } from '../contract/problem.ts'
import type { KeyedCall } from '../platform/call.ts'
import { type Balance, readBalance } from './balance.ts'
import { BalanceTooLow } from './book-transfer.ts'

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
    throw insufficientBalance(await readBalance(db, caller.accountId), priceMicros(), error)
  }
}

/** Refuses early what could not be paid as things stand. Only the charge itself is proof. */
export async function assertAffordable({ db, caller }: KeyedCall, priceMicros: number): Promise<void> {
  const balance = await readBalance(db, caller.accountId)
  if (balance.owedMicros > 0 || balance.prepaidMicros < priceMicros) throw insufficientBalance(balance, priceMicros)
}

function insufficientBalance({ prepaidMicros, owedMicros }: Balance, priceMicros: number, cause?: BalanceTooLow) {
  const required = priceMicros + owedMicros
  return new Problem('insufficient_balance', `This needs ${required} micro-dollars, and ${prepaidMicros} are left.`, {
    members: { required_micros: required, balance_micros: prepaidMicros },
    cause,
  })
}
