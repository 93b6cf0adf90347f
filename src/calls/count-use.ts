import { readUses, returnUse, takeUse, takeUses, type Use } from '../accounts/allowances.ts'
import type { Call, TakeMoreUses } from '../contract/call.ts'
import { allowanceFor, type Operation } from '../contract/define-operation.ts'
import { type AllowanceSizes, allowances, type CallAllowanceName, sizeOf } from '../contract/limits.ts'
import { Problem } from '../contract/problems/problem.ts'
import { rateLimitFields } from '../contract/rate-limits.ts'
import { secondsToMidnight } from '../contract/time/utc-day.ts'
import { chargeForUse, isTimeoutProblem } from './charge-for-use.ts'

type Answered = { headers: Record<string, string> }
type Work<Answer> = (call: Call) => Promise<Answer>
type Counting = { operation: Operation; call: Call; sizes: AllowanceSizes }
type Using = Counting & { maxChargeMicros: number | null }

/**
 * Runs the work as one use of the operation's daily limit. A rejected or failed call is neither charged nor counted. A
 * call that times out is counted.
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
    const answer = await (used === null ? beyond(counting, use, max, work) : within(call, limit, remaining, work))
    return { ...answer, headers: { ...answer.headers, ...fields } }
  } catch (error) {
    const isRefusal = error instanceof Problem && error.code === allowances[use.allowance].problem
    throw isRefusal ? error.withHeaders(fields) : error
  }
}

export type Allowance = { max: number; remaining: number }

/** How much of the operation's daily limit is left; null if it has none. Does not count as a use. */
export async function readAllowance(counting: Counting): Promise<Allowance | null> {
  const limit = limitOf(counting)
  if (!limit) return null
  const { use, max } = limit
  return { max, remaining: Math.max(0, max - (await readUses(connectionFor(counting.call, use), use))) }
}

type Counted = { use: Use; max: number }

/** The daily limit and the subject whose uses it counts; null if there is no limit. */
function limitOf({ operation, call, sizes }: Counting): Counted | null {
  const allowance = allowanceFor(operation, call.caller !== null)
  const max = allowance ? sizeOf(sizes, allowance) : 0
  if (!allowance || max === 0) return null
  return { use: { allowance, subject: subjectOf(allowance, call), at: call.clock.now() }, max }
}

const connectionFor = ({ db, sideDb }: Call, { allowance }: Use) => (allowances[allowance].countedAside ? sideDb : db)

/**
 * Addresses are stored only as keyed hashes that identify nobody. When the first key changes, the day's count restarts.
 */
function subjectOf(allowance: CallAllowanceName, { address, caller, sealing }: Call): string {
  const subjects = { address: undefined, key: caller?.keyId, account: caller?.accountId }
  return subjects[allowances[allowance].countedPer] ?? sealing.pseudonymOf(address)
}

async function within<Answer>(
  call: Call,
  { use, max }: Counted,
  freeRemaining: number,
  work: Work<Answer>,
): Promise<Answer> {
  const more: TakeMoreUses = (tx, wanted) => takeUses(tx, use, { wanted, max })
  try {
    return await work({ ...call, metering: { freeRemaining, chargedMicros: 0 }, takeMoreUses: more })
  } catch (error) {
    if (!isTimeoutProblem(error)) await giveBack(call, use)
    throw error
  }
}

/** If this fails, the caller still gets the original error, and the use stays counted until midnight. */
async function giveBack(call: Call, use: Use): Promise<void> {
  try {
    await returnUse(connectionFor(call, use), use)
  } catch (error) {
    call.logger.error({ request_id: call.requestId, error }, 'could not return a use to the quota')
  }
}

function beyond<Answer>(using: Using, { allowance, at }: Use, max: number, work: Work<Answer>): Promise<Answer> {
  const { price, problem, sendsRetryAfter, countedPer } = allowances[allowance]
  if (price) return chargeForUse(using.call, { price, maxChargeMicros: using.maxChargeMicros }, work)
  throw new Problem(problem, `The daily limit of ${max} per ${countedPer} is reached.`, {
    headers: sendsRetryAfter ? { 'retry-after': String(secondsToMidnight(at)) } : {},
  })
}
