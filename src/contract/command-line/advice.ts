import { type ProblemCode, problems } from '../problems/problems.ts'

/** What to do after a problem, where a user of the command line does something else than a caller of the API. */
const ownAdvice: Partial<Record<ProblemCode, string>> = {
  missing_api_key: 'Run `broadside login`, or set BROADSIDE_API_KEY. `broadside login --create` creates an account.',
  invalid_api_key:
    'Run `broadside login` with a valid key, or correct BROADSIDE_API_KEY. The owner can create a new key.',
  insufficient_balance: 'Ask the owner to open the link and top up. Then run the same command again.',
  validation_failed: 'Correct these fields. `broadside check` checks a post without publishing it.',
  prefilter_refused: 'Change the text. `broadside check` checks it again at no cost.',
  terms_not_accepted: 'Read the terms at <site>/terms/ with the person you act for, then pass --accept-terms.',
  post_not_found: 'Check the id and --url. `broadside mine` lists your posts.',
  cursor_expired: 'Start again without --after.',
}

/** What to do after each problem. */
export const adviceByCode = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(problems).map(([code, { remedy }]) => [code, ownAdvice[code as ProblemCode] ?? remedy]),
  )
