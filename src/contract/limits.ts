import type { ProblemCode } from './problems/problems.ts'

/** What a limit is counted by. */
type CountedPer = 'address' | 'key' | 'account' | 'mailbox' | 'seller' | 'platform'

export type Limit = {
  operations: string
  countedPer: CountedPer
  max: number
  windowSeconds: number | null
}

/** A limit that the API counts. */
type Allowance = Limit & {
  countedPer: Exclude<CountedPer, 'platform'>
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

/** A limit that cannot be bought off: what goes beyond it waits for the next day. */
const refusedUntilMidnight = {
  windowSeconds: secondsPerDay,
  price: null,
  problem: 'rate_limited',
  sendsRetryAfter: true,
  policy: null,
  countedAside: false,
} as const

/** Limits that are counted in a UTC day and start anew at 00:00. */
export const allowances = {
  'accounts-per-address': {
    operations: 'POST /v1/accounts, also by MCP',
    countedPer: 'address',
    max: 100,
    ...refusedUntilMidnight,
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
    ...refusedUntilMidnight,
    sendsRetryAfter: false,
  },
  // Each is a mail to a stranger.
  'relays-per-account': {
    operations: 'POST /v1/relay, also by MCP',
    countedPer: 'account',
    max: 20,
    ...refusedUntilMidnight,
  },
  // An owner may have many accounts; the stranger has one mailbox.
  'relays-per-mailbox': {
    operations: 'POST /v1/relay, also by MCP, from all accounts with one email',
    countedPer: 'mailbox',
    max: 20,
    ...refusedUntilMidnight,
  },
  'relays-per-seller': {
    operations: 'POST /v1/relay, also by MCP, from all accounts to one seller',
    countedPer: 'seller',
    max: 50,
    ...refusedUntilMidnight,
  },
  // A test costs nothing and calls an address that nobody has shown to be the caller's own.
  'webhook-tests-per-account': {
    operations: 'POST /v1/webhooks/{id}/test, also by MCP',
    countedPer: 'account',
    max: 1_000,
    ...refusedUntilMidnight,
  },
} as const satisfies Record<string, Allowance>

export type AllowanceName = keyof typeof allowances

/** Those that are counted by what every call tells. Others are counted by the handler that knows more. */
export type CallAllowanceName = {
  [Name in AllowanceName]: (typeof allowances)[Name]['countedPer'] extends 'address' | 'key' | 'account' ? Name : never
}[AllowanceName]

export const allowanceNames = Object.keys(allowances) as AllowanceName[]

type Sizes<Name extends AllowanceName> = Partial<Record<Name, number | undefined>>

/**
 * How many uses a day the allowances of this deployment have that differ from the registry; 0 means no limit. Those that a
 * handler counts shield strangers, and are the same everywhere.
 */
export type AllowanceSizes = Sizes<CallAllowanceName>

export const sizeOf = (sizes: Sizes<AllowanceName>, name: AllowanceName): number => sizes[name] ?? allowances[name].max

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

/** How long a link opens the desk for a new passkey, and how long staff stay signed in. */
export const staffLinkSeconds = 86_400
export const staffSession = { idleSeconds: 3_600, wholeSeconds: 43_200 } as const

/**
 * The desk: how long a case is held for whoever looks at it, how long a decision can be undone, for how long a case that
 * was skipped is not offered to the same person, and by when a person has seen what the model did alone.
 */
export const desk = { leaseSeconds: 120, undoSeconds: 10, skipSeconds: 1_800, checkSeconds: 86_400 } as const

/**
 * The six digits that are mailed to the owner. So many wrong ones a UTC day are taken from browsers that an account's agent
 * may have sent; then only a link that was mailed leads in.
 */
export const ownerCodes = { lifeSeconds: 600, tries: 5, wrongPerDay: 20 } as const

/**
 * What is mailed in an hour so that an owner gets in: codes, by the way that whoever asks has come, and mails with links.
 * Of the five codes of an account two are out of reach for its agent, whose links bring no more than three. A mailbox has
 * a number for each way, twelve mails in all: whoever opens accounts under a stranger's address uses up neither the links
 * nor the codes that follow from them.
 */
export const ownerMailsPerHour = {
  account: { all: 5, agent_link: 3, mailed_link: 5, session: 5 },
  mailbox: { links: 2, agent_link: 5, mailed_link: 3, session: 2 },
} as const
