import { Problem, type ProblemMembers, problemDocument } from './problem.ts'
import { needsOwner, type ProblemCode, problems } from './problems.ts'

const exampleMembers: Partial<Record<ProblemCode, ProblemMembers>> = {
  validation_failed: { errors: [{ pointer: '#/name', detail: 'is required' }] },
  terms_not_accepted: { errors: [{ pointer: '#/accept_terms', detail: 'must be true' }] },
  insufficient_balance: { required_micros: 20_000, balance_micros: 5_000 },
  max_charge_exceeded: { required_micros: 1_000 },
  insufficient_scope: { required_scopes: ['publish', 'publish_with_approval'] },
  key_cap_reached: { daily_cap_micros: 1_000_000, spent_micros: 990_000 },
  prefilter_refused: { category: 'spam', reason: 'The text has more links than words. Say what they lead to.' },
  invalid_query: { errors: [{ pointer: '#/limit', detail: 'is not recognized' }] },
}

/** The document of a problem, with the members that callers can expect. */
export function exampleProblem(
  { baseUrl, accountPageUrl }: { baseUrl: string; accountPageUrl: string },
  code: ProblemCode,
) {
  const account_url = `${accountPageUrl}/o/3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA`
  const members = { ...exampleMembers[code], ...(needsOwner(code) && { account_url }) }
  const problem = new Problem(code, problems[code].meaning, { members })
  return problemDocument(problem, { baseUrl, requestId: '9f86d081884c7d659a2feaa0c55ad015' })
}
