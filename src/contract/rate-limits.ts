import {
  type AllowanceName,
  type AllowanceSizes,
  allowanceNames,
  allowances,
  ceilings,
  type Limit,
  maxApiKeysPerAccount,
  maxBodyBytes,
  maxWebhooksPerAccount,
  platformBurst,
  sizeOf,
} from './limits.ts'
import { problems } from './problems/problems.ts'

type Served = readonly { method: string; path: string }[]

/** Every limit as data, for /rate-limits.json: those of what a site serves, with the sizes that this deployment has. */
export const rateLimits = (sizes: AllowanceSizes, served: Served) => ({
  allowances: allowanceNames
    .filter((name) => sizeOf(sizes, name) > 0 && isServed(name, served))
    .map((name) => ({
      ...describe(name, { ...allowances[name], max: sizeOf(sizes, name) }),
      afterwards: afterwardsOf(name),
      rate_limit_policy: allowances[name].policy,
    })),
  ceilings: Object.entries(ceilings).map(([name, limit]) => ({
    ...describe(name, limit),
    afterwards: limit.afterwards,
  })),
  platform_burst: platformBurst,
  max_body_bytes: maxBodyBytes,
  max_api_keys_per_account: maxApiKeysPerAccount,
  max_webhooks_per_account: maxWebhooksPerAccount,
})

/** The words of an allowance begin with the operation that it is of. */
const isServed = (name: AllowanceName, served: Served): boolean =>
  served.some(({ method, path }) => /^\w+ [^\s,]+/.exec(allowances[name].operations)?.[0] === `${method} ${path}`)

const describe = (name: string, { operations, countedPer, max, windowSeconds }: Limit) => ({
  name,
  operations,
  counted_per: countedPer,
  max,
  window_seconds: windowSeconds,
})

function afterwardsOf(name: AllowanceName): string {
  const { price, problem } = allowances[name]
  const refusal = `${problems[problem].status} ${problem}`
  return price ? `each is charged at the price of a ${price}, or ${refusal}` : `${refusal} until 00:00 UTC`
}

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
