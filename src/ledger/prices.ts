import { allowances } from '../contract/limits.ts'
import { kinds } from '../kinds/index.ts'

/** Prices in micro-dollars. Each kind defines the price of its posts. */
export const prices = {
  editMicros: 10_000,
  searchMicros: 1_000,
  /** An abusive post costs this many times its post price in total. Links are charged once. */
  abuseMultiplier: 10,
  topUpMicros: [5_000_000, 10_000_000, 25_000_000, 50_000_000],
} as const

/** Free searches per UTC day. */
export const freeSearches = {
  withKey: allowances['searches-per-key'].max,
  withoutKey: allowances['searches-per-address'].max,
} as const

/** The whole price list, as shown at /v1/pricing and /plans.json. */
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
