import { Problem } from '../contract/problems/problem.ts'
import { isDatabaseUnavailable, isDeadlock, isLockTimeout, violatedConstraint } from '../platform/database/database.ts'
import { invalidApiKey } from './admit.ts'

/** What the caller is told of any error. Only a Problem was meant for callers; the rest keeps its cause for the log. */
export function problemFrom(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isDatabaseUnavailable(error))
    return new Problem('unavailable', 'The database cannot be reached just now.', {
      headers: { 'retry-after': '5' },
      cause: error,
    })
  if (isDeadlock(error) || isLockTimeout(error))
    return new Problem('unavailable', 'Another request held what this one needs; nothing was changed.', {
      headers: { 'retry-after': '1' },
      cause: error,
    })
  // The owner closed the account while the call was on its way: it is as if it had come a moment later.
  if (violatedConstraint(error) === 'account_is_open') return invalidApiKey()
  return new Problem('internal_error', 'The request failed on our side; its cause is in our log.', { cause: error })
}
