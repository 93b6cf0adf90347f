import { Problem, problemDocument } from '../../src/contract/problem.ts'
import { problems } from '../../src/contract/problems.ts'
import { type GatewayProblem, gatewayCodes } from './nginx-config.ts'

/** What nginx answers by itself, in the words of the catalog; nginx fills in the site and the request. */
export const gatewayProblems: GatewayProblem[] = gatewayCodes.map((code) => {
  const problem = new Problem(code, problems[code].meaning)
  const document = problemDocument(problem, { baseUrl: '$problem_base', requestId: '$request_id' })
  return { code, status: problem.status, json: JSON.stringify(document) }
})
