/** What a domain publishes about its accounts, at this path. */
export const domainFile = {
  path: '/.well-known/broadside.json',
  maxBytes: 16_384,
  maxAccounts: 100,
  timeoutMs: 5_000,
} as const

const daily = {
  windowSeconds: 86_400,
  price: null,
  problem: 'rate_limited',
  sendsRetryAfter: true,
  policy: null,
  countedAside: false,
} as const

/** Each check is a request to a host that the caller chose, and nobody may use us to send it many. */
export const domainAllowances = {
  'domain-checks-per-account': { operations: 'PUT /v1/account/domain', countedPer: 'account', max: 20, ...daily },
  'domain-checks-per-domain': {
    operations: 'PUT /v1/account/domain, by all accounts that name the domain',
    countedPer: 'domain',
    max: 50,
    ...daily,
  },
} as const
