import { readUses, returnUse, takeUse, type Use } from '../accounts/allowances.ts'
import type { Call } from '../contract/call.ts'
import { allowanceFor, type Operation } from '../contract/define-operation.ts'
import { type AllowanceSizes, allowances, type CallAllowanceName, sizeOf } from '../contract/limits.ts'
import { Problem } from '../contract/problems/problem.ts'
import { rateLimitFields } from '../contract/rate-limits.ts'
import { secondsToMidnight } from '../contract/utc-day.ts'
import { isStatementTimeout } from '../platform/database/database.ts'
import { chargeForUse } from './charge-for-use.ts'

type Answered = { headers: Record<string, string> }
type Work<Answer> = (call: Call) => Promise<Answer>
type Counting = { operation: Operation; call: Call; sizes: AllowanceSizes }
type Using = Counting & { maxChargeMicros: number | null }

/**
 * Does the work as one use of the operation's allowance. What is refused or fails costs nothing and has used nothing,
 * unless it was given up because it took too long: then it has used what it could.
 */
export async function countUse<Answer extends Answered>(counting: Using, work: Work<Answer>): Promise<Answer> {
  const { call } = counting
  const limit = limitOf(counting)
  if (!limit) return work(call)
  const { use, max } = limit
  const used = await takeUse(connectionFor(call, use), use, max)
  const remaining = max - (used ?? max)
  const fields = rateLimitFields(use.allowance, { max, remaining, secondsLeft: secondsToMidnight(use.at) })
  try {
    const answer = await (used === null ? beyond(counting, use, max, work) : within(call, use, remaining, work))
    return { ...answer, headers: { ...answer.headers, ...fields } }
  } catch (error) {
    const isRefusal = error instanceof Problem && error.code === allowances[use.allowance].problem
    throw isRefusal ? error.withHeaders(fields) : error
  }
}

export type Allowance = { max: number; remaining: number }

/** What is left of the operation's allowance today, without using any; null where there is no limit. */
export async function readAllowance(counting: Counting): Promise<Allowance | null> {
  const limit = limitOf(counting)
  if (!limit) return null
  const { use, max } = limit
  return { max, remaining: Math.max(0, max - (await readUses(connectionFor(counting.call, use), use))) }
}

/** How many uses there are, and whom this one is counted for; null where there is no limit. */
function limitOf({ operation, call, sizes }: Counting): { use: Use; max: number } | null {
  const allowance = allowanceFor(operation, call.caller !== null)
  const max = allowance ? sizeOf(sizes, allowance) : 0
  if (!allowance || max === 0) return null
  return { use: { allowance, subject: subjectOf(allowance, call), at: call.clock.now() }, max }
}

const connectionFor = ({ db, sideDb }: Call, { allowance }: Use) => (allowances[allowance].countedAside ? sideDb : db)

/** An address is counted and not kept: what is stored leads to nobody. When the first of the keys changes, the day's count starts anew. */
function subjectOf(allowance: CallAllowanceName, { address, caller, sealing }: Call): string {
  const subjects = { address: undefined, key: caller?.keyId, account: caller?.accountId }
  return subjects[allowances[allowance].countedPer] ?? sealing.pseudonymOf(address)
}

async function within<Answer>(call: Call, use: Use, freeRemaining: number, work: Work<Answer>): Promise<Answer> {
  try {
    return await work({ ...call, metering: { freeRemaining, chargedMicros: 0 } })
  } catch (error) {
    if (!hasRunOutOfTime(error)) await giveBack(call, use)
    throw error
  }
}

/** Given back, what takes the longest could be asked for without end. */
const hasRunOutOfTime = (error: unknown): boolean => error instanceof Problem && isStatementTimeout(error.cause)

/** The caller is told of the fault that came first, so this one is for the log. The use is then lost until midnight. */
async function giveBack(call: Call, use: Use): Promise<void> {
  try {
    await returnUse(connectionFor(call, use), use)
  } catch (error) {
    call.logger.error({ request_id: call.requestId, error }, 'a use was not given back')
  }
}

function beyond<Answer>(using: Using, { allowance, at }: Use, max: number, work: Work<Answer>): Promise<Answer> {
  const { price, problem, sendsRetryAfter, countedPer } = allowances[allowance]
  if (price) return chargeForUse(using.call, { price, maxChargeMicros: using.maxChargeMicros }, work)
  throw new Problem(problem, `The ${max} of today for this ${countedPer} are used up.`, {
    headers: sendsRetryAfter ? { 'retry-after': String(secondsToMidnight(at)) } : {},
  })
}
