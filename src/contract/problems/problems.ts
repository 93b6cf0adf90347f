import { callerProblems } from './caller.ts'
import { contentProblems } from './content.ts'
import type { ProblemDefinition } from './problem-definition.ts'
import { requestProblems } from './request.ts'
import { serviceProblems } from './service.ts'
import { subjectProblems } from './subject.ts'

/**
 * Every error that a caller can receive. A code is permanent: it is never renamed and never changes its status. An
 * error that is not listed here cannot reach a caller.
 */
export const problems = {
  ...requestProblems,
  ...callerProblems,
  ...subjectProblems,
  ...contentProblems,
  ...serviceProblems,
} as const satisfies Record<string, ProblemDefinition>

export type ProblemCode = keyof typeof problems
export const problemCodes = Object.keys(problems) as ProblemCode[]

/** True if the agent cannot continue without its owner. The response then has account_url. */
export const needsOwner = (code: ProblemCode): boolean => problems[code].retry === 'after_owner'

/** The catalog as data, for /problems/index.json. */
export function problemCatalog(baseUrl: string) {
  return {
    problems: problemCodes.map((code) => ({
      code,
      type: `${baseUrl}/problems/${code}`,
      ...problems[code],
      for_human: needsOwner(code),
    })),
  }
}
