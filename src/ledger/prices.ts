import { allowances } from '../contract/limits.ts'
import { kinds } from '../kinds/index.ts'

/** What things cost, in micro-dollars. The price of a post stands with its kind. */
export const prices = {
  editMicros: 10_000,
  searchMicros: 1_000,
  /** An abusive post costs this many times its post price in all. Links are charged once. */
  abuseMultiplier: 10,
  topUpMicros: [5_000_000, 10_000_000, 25_000_000, 50_000_000],
} as const

/** Searches that cost nothing, by UTC day. */
export const freeSearches = {
  withKey: allowances['searches-per-key'].max,
  withoutKey: allowances['searches-per-address'].max,
} as const

/** The whole price list, as /v1/pricing and /plans.json show it. */
export const priceList = {
  currency: 'USD',
  unit: 'micro-dollars',
  posts: kinds.map(({ name, priceMicros, linkSurchargeMicros }) => ({
    kind: name,
    post_micros: priceMicros,
    link_surcharge_micros: linkSurchargeMicros,
  })),
  edit_micros: prices.editMicros,
  abuse_multiplier: prices.abuseMultiplier,
  search: {
    micros: prices.searchMicros,
    free_per_day_with_key: freeSearches.withKey,
    free_per_day_without_key: freeSearches.withoutKey,
  },
  top_up_micros: [...prices.topUpMicros],
  free: ['dry-run post', 'browsing', 'single post', 'feeds', 'test webhook'],
}
