import type { ProblemDefinition } from './problem-definition.ts'
import { callerProblems } from './problems/caller.ts'
import { contentProblems } from './problems/content.ts'
import { requestProblems } from './problems/request.ts'
import { serviceProblems } from './problems/service.ts'
import { subjectProblems } from './problems/subject.ts'

/**
 * Every error a caller can meet. A code is for ever: it is never renamed and never given another status.
 * An error that is not here cannot be thrown to a caller.
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

/** True where the agent cannot go on without its human, so the answer carries account_url. */
export const needsOwner = (code: ProblemCode): boolean => problems[code].retry === 'after_owner'
