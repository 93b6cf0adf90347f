import { Problem } from '../contract/problems/problem.ts'
import { isDatabaseUnavailable, isDeadlock, isLockTimeout, violatedConstraint } from '../platform/database/database.ts'
import { invalidApiKey } from './admit.ts'

/** Converts any error to a Problem. Only a Problem is meant for callers; other errors become its cause, for the log. */
export function problemFrom(error: unknown): Problem {
  if (error instanceof Problem) return error
  if (isDatabaseUnavailable(error))
    return new Problem('unavailable', 'The database is temporarily unreachable.', {
      headers: { 'retry-after': '5' },
      cause: error,
    })
  if (isDeadlock(error) || isLockTimeout(error))
    return new Problem('unavailable', 'Another request blocked this one. Nothing was changed.', {
      headers: { 'retry-after': '1' },
      cause: error,
    })
  // The owner closed the account during the call. Respond as if the call had arrived afterwards.
  if (violatedConstraint(error) === 'account_is_open') return invalidApiKey()
  return new Problem('internal_error', 'The request failed on our side. The cause is in our log.', { cause: error })
}
