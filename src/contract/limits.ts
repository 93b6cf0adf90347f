import type { ProblemCode } from './problems.ts'

/** What a limit is counted by. */
type CountedPer = 'address' | 'key' | 'account' | 'platform'

export type Limit = {
  operations: string
  countedPer: CountedPer
  max: number
  windowSeconds: number | null
}

/** A limit that the API counts. Its size is the operator's to change. */
type Allowance = Limit & {
  countedPer: 'address' | 'key' | 'account'
  windowSeconds: number
  /** What each further use costs, by its name in the price list; null where it cannot be bought. */
  price: 'search' | null
  /** What a further use is refused with; where it can be bought, what it is when the balance does not reach. */
  problem: ProblemCode
  sendsRetryAfter: boolean
  /** The name in the RateLimit fields of the answers; null where there are none. */
  policy: string | null
  /** Counted on the connections of searches, which do not wait for the disk. Others must not stand in line with those. */
  countedAside: boolean
}

const secondsPerDay = 86_400

/** Limits that are counted in a UTC day and start anew at 00:00. */
export const allowances = {
  'accounts-per-address': {
    operations: 'POST /v1/accounts, also by MCP',
    countedPer: 'address',
    max: 100,
    windowSeconds: secondsPerDay,
    price: null,
    problem: 'rate_limited',
    sendsRetryAfter: true,
    policy: null,
    countedAside: false,
  },
  'searches-per-key': {
    operations: 'GET /v1/search with a key, also by MCP',
    countedPer: 'key',
    max: 100,
    windowSeconds: secondsPerDay,
    price: 'search',
    problem: 'insufficient_balance',
    sendsRetryAfter: false,
    policy: 'search-free',
    countedAside: true,
  },
  'searches-per-address': {
    operations: 'GET /v1/search without a key, also by MCP and on the search page',
    countedPer: 'address',
    max: 20,
    windowSeconds: secondsPerDay,
    price: null,
    problem: 'search_allowance_exhausted',
    sendsRetryAfter: true,
    policy: 'search-free',
    countedAside: true,
  },
  'reports-per-address': {
    operations: 'POST /v1/reports, also by MCP',
    countedPer: 'address',
    max: 20,
    windowSeconds: secondsPerDay,
    price: null,
    problem: 'rate_limited',
    sendsRetryAfter: false,
    policy: null,
    countedAside: false,
  },
  // Each is a mail to a stranger.
  'relays-per-account': {
    operations: 'POST /v1/relay, also by MCP',
    countedPer: 'account',
    max: 20,
    windowSeconds: secondsPerDay,
    price: null,
    problem: 'rate_limited',
    sendsRetryAfter: true,
    policy: null,
    countedAside: false,
  },
  // A test costs nothing and calls an address that nobody has shown to be the caller's own.
  'webhook-tests-per-account': {
    operations: 'POST /v1/webhooks/{id}/test, also by MCP',
    countedPer: 'account',
    max: 1_000,
    windowSeconds: secondsPerDay,
    price: null,
    problem: 'rate_limited',
    sendsRetryAfter: true,
    policy: null,
    countedAside: false,
  },
} as const satisfies Record<string, Allowance>

export type AllowanceName = keyof typeof allowances
export const allowanceNames = Object.keys(allowances) as AllowanceName[]

/** How many uses a day the allowances of this deployment have that differ from the registry; 0 means no limit. */
export type AllowanceSizes = Partial<Record<AllowanceName, number | undefined>>

export const sizeOf = (sizes: AllowanceSizes, name: AllowanceName): number => sizes[name] ?? allowances[name].max

/** Limits on how much may exist or arrive at one time. */
export const ceilings = {
  platform: {
    operations: 'all of /v1/* and /mcp, all sites and clients together',
    countedPer: 'platform',
    max: 100,
    windowSeconds: 1,
    afterwards: '429 platform_busy from the gateway; bursts of 200 pass',
  },
} as const satisfies Record<string, Limit & { afterwards: string }>

/** The gateway's bucket: a burst this large passes at once. */
export const platformBurst = 200

/** 2,500 words of escaped Tamil fit. */
export const maxBodyBytes = 256 * 1024

export const maxApiKeysPerAccount = 20

/** The table of endpoints has as many places for an account. */
export const maxWebhooksPerAccount = 5

/** How long an owner link opens the owner page. */
export const ownerLinkSeconds = 3_600

/** How long the owner stays signed in: after the last call, and in all. */
export const ownerSession = { idleSeconds: 1_800, wholeSeconds: 43_200 } as const

/**
 * The six digits that are mailed to the owner. A link that anyone may have mailed by naming the address is one of the
 * sends of its account; no more than two are, so that a stranger cannot use up the owner's own.
 */
export const ownerCodes = { lifeSeconds: 600, tries: 5, sendsPerHour: 5, linksPerHour: 2 } as const
