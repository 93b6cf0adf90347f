import { type AllowanceName, allowances } from './limits.ts'

type State = { max: number; remaining: number; secondsLeft: number }

/**
 * The RateLimit fields of an answer (draft-ietf-httpapi-ratelimit-headers), written as RFC 9651 serialises a list. An
 * allowance without a policy has none.
 */
export function rateLimitFields(name: AllowanceName, { max, remaining, secondsLeft }: State): Record<string, string> {
  const { policy, windowSeconds } = allowances[name]
  if (policy === null) return {}
  return {
    'ratelimit-policy': `"${policy}";q=${max};w=${windowSeconds}`,
    ratelimit: `"${policy}";r=${remaining};t=${secondsLeft}`,
  }
}

/** What the fields say, for the contract. */
export const rateLimitDescriptions: Record<string, string> = {
  'RateLimit-Policy': 'The free allowance: how many (`q`) in how many seconds (`w`).',
  RateLimit: 'What is left of it (`r`), and the seconds until it starts anew (`t`).',
}
