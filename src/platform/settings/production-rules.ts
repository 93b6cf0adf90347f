/** Returns what is wrong with a value in production, or undefined. */
type Rule = (given: string) => string | undefined

const onlyHttps: Rule = (given) => (/\bhttp:\/\//.test(given) ? 'must use https in production' : undefined)

const only =
  (expected: string): Rule =>
  (given) =>
    given === expected ? undefined : `must be ${expected} in production`

/** Values that are useful for development and tests, and wrong or dangerous in production. */
export const productionRules: Readonly<Record<string, Rule>> = {
  OUTBOUND_TEST_RANGES: () => 'not allowed in production',
  SITES: onlyHttps,
  ACCOUNT_PAGE_URL: onlyHttps,
  DESK_URL: onlyHttps,
  LOG_URL: onlyHttps,
  PAGES_S3_ENDPOINT: onlyHttps,
  STRIPE_SECRET_KEY: (given) => (/^[rs]k_test_/.test(given) ? 'must not be a test key in production' : undefined),
  STRIPE_API_URL: only('https://api.stripe.com'),
  STRIPE_CHECKOUT_ORIGIN: onlyHttps,
  CDN_API_URL: onlyHttps,
  ACCOUNTS_PER_ADDRESS_PER_DAY: (given) => (Number(given) === 0 ? 'must have a limit in production' : undefined),
  PAGES_DIRECTORY: (given) =>
    given.split('/').includes('.broadside') ? 'must not be in the folder for development (.broadside)' : undefined,
}
