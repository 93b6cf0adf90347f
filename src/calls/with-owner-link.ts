import { createOwnerLink } from '../accounts/owner-link.ts'
import type { Problem } from '../contract/problem.ts'
import { needsOwner } from '../contract/problems.ts'
import type { Call } from '../platform/call.ts'

/** Where only a human can go on, the answer says where the human must go. Made outside any transaction. */
export async function withOwnerLink(call: Call, problem: Problem): Promise<Problem> {
  const { db, clock, caller, owner, accountPageUrl } = call
  const whose = caller ?? owner
  if (!whose || !needsOwner(problem.code)) return problem
  return problem.with({
    account_url: await createOwnerLink(db, { accountId: whose.accountId, accountPageUrl, at: clock.now() }),
  })
}
