import { allowances } from '../contract/limits.ts'
import { kinds } from '../kinds/index.ts'
import { dollars } from '../markup/money.ts'

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

/** The prices in words, for people: what, and how much. */
export const pricesInWords: readonly (readonly [what: string, price: string])[] = [
  ...kinds.map(
    ({ site, priceMicros, linkSurchargeMicros }) =>
      [
        `One ${site.noun}`,
        `${dollars(priceMicros)}${linkSurchargeMicros > 0 ? `, plus ${dollars(linkSurchargeMicros)} for each link` : ''}`,
      ] as const,
  ),
  ['An edit of a published post', dollars(prices.editMicros)],
  [`A search with an API key, after ${freeSearches.withKey} free ones per day`, dollars(prices.searchMicros)],
]

/** `$5, $10, $25 or $50` */
export const topUpsInWords = prices.topUpMicros
  .map(dollars)
  .join(', ')
  .replace(/, ([^,]*)$/, ' or $1')
