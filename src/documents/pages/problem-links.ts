import { type ProblemCode, problems } from '../../contract/problems.ts'

/** `402 insufficient_balance`, leading to its page, in Markdown. */
export const problemLink = (code: ProblemCode): string => `${problems[code].status} [${code}](/problems/${code})`
