import {
  type AllowanceName,
  type AllowanceSizes,
  allowances,
  ceilings,
  type Limit,
  maxApiKeysPerAccount,
  maxBodyBytes,
  maxWebhooksPerAccount,
  platformBurst,
} from './limits.ts'

const describe = ([name, { operations, countedPer, max, windowSeconds, afterwards }]: [string, Limit]) => ({
  name,
  operations,
  counted_per: countedPer,
  max,
  window_seconds: windowSeconds,
  afterwards,
})

/** Every limit as data, for /rate-limits.json, with the sizes that this deployment has. */
export const rateLimits = (sizes: AllowanceSizes) => ({
  allowances: Object.entries<Limit>(allowances)
    .map(([name, limit]): [string, Limit] => [name, { ...limit, max: sizes[name as AllowanceName] ?? limit.max }])
    .filter(([, { max }]) => max > 0)
    .map(describe),
  ceilings: Object.entries<Limit>(ceilings).map(describe),
  platform_burst: platformBurst,
  max_body_bytes: maxBodyBytes,
  max_api_keys_per_account: maxApiKeysPerAccount,
  max_webhooks_per_account: maxWebhooksPerAccount,
})
