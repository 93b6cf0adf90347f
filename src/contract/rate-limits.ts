import { cardCeilings } from './card-limits.ts'
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

/** The limits of the operations that a site serves, with this deployment's sizes, for /rate-limits.json. */
export const rateLimits = (sizes: AllowanceSizes, served: Served) => ({
  allowances: allowanceNames
    .filter((name) => sizeOf(sizes, name) > 0 && isServed(name, served))
    .map((name) => ({
      ...describe(name, { ...allowances[name], max: sizeOf(sizes, name) }),
      afterwards: afterwardsOf(name),
      rate_limit_policy: allowances[name].policy,
    })),
  ceilings: Object.entries({ ...ceilings, ...cardCeilings }).map(([name, limit]) => ({
    ...describe(name, limit),
    afterwards: limit.afterwards,
  })),
  platform_burst: platformBurst,
  max_body_bytes: maxBodyBytes,
  max_api_keys_per_account: maxApiKeysPerAccount,
  max_webhooks_per_account: maxWebhooksPerAccount,
})

/** `operations` starts with the method and the path, such as `GET /v1/search`. */
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
  return price ? `each further ${price} is charged, or rejected with ${refusal}` : `${refusal} until 00:00 UTC`
}

type State = { max: number; remaining: number; secondsLeft: number }

/**
 * The RateLimit headers of a response (draft-ietf-httpapi-ratelimit-headers), serialized as an RFC 9651 list. A limit
 * without a policy has none.
 */
export function rateLimitFields(name: AllowanceName, { max, remaining, secondsLeft }: State): Record<string, string> {
  const { policy, windowSeconds } = allowances[name]
  if (policy === null) return {}
  return {
    'ratelimit-policy': `"${policy}";q=${max};w=${windowSeconds}`,
    ratelimit: `"${policy}";r=${remaining};t=${secondsLeft}`,
  }
}

/** Header descriptions for OpenAPI. */
export const rateLimitDescriptions: Record<string, string> = {
  'RateLimit-Policy': 'The free quota (`q`) and its window in seconds (`w`).',
  RateLimit: 'The remaining free quota (`r`) and the seconds until it resets (`t`).',
}
