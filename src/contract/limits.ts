import { domainAllowances } from './domain-limits.ts'
import { draftsPerAccount } from './draft-limits.ts'
import type { ProblemCode } from './problems/problems.ts'
import { streamCeilings } from './stream-limits.ts'

/** The unit that a limit applies to. */
type CountedPer = 'address' | 'key' | 'account' | 'new account' | 'mailbox' | 'domain' | 'seller' | 'platform'

export type Limit = {
  operations: string
  countedPer: CountedPer
  max: number
  windowSeconds: number | null
}

/** A limit that the API counts. The gateway enforces the others. */
type Allowance = Limit & {
  countedPer: Exclude<CountedPer, 'platform'>
  windowSeconds: number
  /** The price list entry for each further use; null if further uses cannot be bought. */
  price: 'search' | null
  /** The problem returned for a further use or, if further uses can be bought, when the balance is too low. */
  problem: ProblemCode
  sendsRetryAfter: boolean
  /** The policy name in the RateLimit headers; null if the limit sends none. */
  policy: string | null
  /**
   * True if uses are counted on the search connections, which commit without waiting for the disk. Searches then never
   * delay other operations.
   */
  countedAside: boolean
}

const secondsPerDay = 86_400

/** Further calls cannot be bought. They are rejected until 00:00 UTC. */
const refusedUntilMidnight = {
  windowSeconds: secondsPerDay,
  price: null,
  problem: 'rate_limited',
  sendsRetryAfter: true,
  policy: null,
  countedAside: false,
} as const

/** Limits per UTC day. They reset at 00:00 UTC. */
export const allowances = {
  'accounts-per-address': {
    operations: 'POST /v1/accounts, also over MCP',
    countedPer: 'address',
    max: 100,
    ...refusedUntilMidnight,
  },
  'searches-per-key': {
    operations: 'GET /v1/search with a key, also over MCP',
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
    operations: 'GET /v1/search without a key, also over MCP and on the search page',
    countedPer: 'address',
    max: 20,
    windowSeconds: secondsPerDay,
    price: null,
    problem: 'search_allowance_exhausted',
    sendsRetryAfter: true,
    policy: 'search-free',
    countedAside: true,
  },
  // A timeout is often our fault, so the first ones are free. Without a limit, the slowest queries would be.
  'timed-out-searches-per-account': {
    operations: 'GET /v1/search with a key, beyond the free searches, if the search takes too long',
    countedPer: 'account',
    max: 20,
    windowSeconds: secondsPerDay,
    price: 'search',
    problem: 'insufficient_balance',
    sendsRetryAfter: false,
    policy: null,
    countedAside: true,
  },
  'reports-per-address': {
    operations: 'POST /v1/reports, also over MCP and with the report form',
    countedPer: 'address',
    max: 20,
    ...refusedUntilMidnight,
    sendsRetryAfter: false,
  },
  // Each relayed message is emailed to a stranger.
  'relays-per-account': {
    operations: 'POST /v1/relay, also over MCP',
    countedPer: 'account',
    max: 20,
    ...refusedUntilMidnight,
  },
  // An owner can have several accounts with the same mailbox.
  'relays-per-mailbox': {
    operations: 'POST /v1/relay, also over MCP, from all accounts with the same mailbox, and confirmed contact forms',
    countedPer: 'mailbox',
    max: 20,
    ...refusedUntilMidnight,
  },
  'relays-per-seller': {
    operations: 'POST /v1/relay, also over MCP, from all accounts to one seller, and confirmed contact forms',
    countedPer: 'seller',
    max: 50,
    ...refusedUntilMidnight,
  },
  // Each form makes us send an email with a link to an address that nobody has confirmed yet.
  'contact-forms-per-address': {
    operations: 'the contact form on the page of an ad',
    countedPer: 'address',
    max: 20,
    ...refusedUntilMidnight,
  },
  'contact-links-per-mailbox': {
    operations: 'emails with a link that confirms a contact form',
    countedPer: 'mailbox',
    max: 5,
    ...refusedUntilMidnight,
  },
  // A stranger could name every address of a domain that delivers them all to one mailbox. Emails to verified mailboxes
  // and to providers do not count, so newcomers at a small domain are the only people whom this can keep waiting.
  'owner-mails-per-domain': {
    operations: 'sign-in emails to mailboxes of one domain that nobody has verified',
    countedPer: 'domain',
    max: 300,
    ...refusedUntilMidnight,
  },
  // A person's look costs more than a message. Posts that no person has to look at are never counted.
  'reviews-per-new-account': {
    operations:
      'POST /v1/posts, also over MCP, and edits: posts and edits that went to a person today or still wait for one',
    countedPer: 'new account',
    max: 20,
    ...refusedUntilMidnight,
  },
  'drafts-per-account': draftsPerAccount,
  ...domainAllowances,
  'appeals-per-new-account': {
    operations: 'POST /v1/posts/{id}/appeal, also over MCP and on the owner page',
    countedPer: 'new account',
    max: 5,
    ...refusedUntilMidnight,
  },
  // Without a limit, each of them would be a free look by a person.
  'free-appeals-per-account': {
    operations:
      'POST /v1/posts/{id}/appeal, also over MCP and on the owner page, of rejections that were refunded in full',
    countedPer: 'account',
    max: 1,
    ...refusedUntilMidnight,
  },
  // Tests and replays are free and call a URL that may belong to somebody else.
  'requested-deliveries-per-account': {
    operations:
      'POST /v1/webhooks/{id}/test, also over MCP, and POST /v1/webhooks/{id}/replay, by the deliveries that it queues',
    countedPer: 'account',
    max: 1_000,
    ...refusedUntilMidnight,
  },
  // Nobody has shown that they want these deliveries. The trigger deliver_event enforces the same number.
  'deliveries-to-unproven-endpoints': {
    operations: 'POST /v1/webhooks/{id}/test, replays and events, to endpoints that never answered a test with 2xx',
    countedPer: 'account',
    max: 20,
    ...refusedUntilMidnight,
  },
} as const satisfies Record<string, Allowance>

export type AllowanceName = keyof typeof allowances

/** The limits that can be counted from the data of any call. Handlers count the others. */
export type CallAllowanceName = {
  [Name in AllowanceName]: (typeof allowances)[Name]['countedPer'] extends 'address' | 'key' | 'account' ? Name : never
}[AllowanceName]

export const allowanceNames = Object.keys(allowances) as AllowanceName[]

type Sizes<Name extends AllowanceName> = Partial<Record<Name, number | undefined>>

/**
 * The daily limits that this deployment overrides; 0 means no limit. Limits that a handler counts protect third parties
 * and cannot be overridden.
 */
export type AllowanceSizes = Sizes<CallAllowanceName>

export const sizeOf = (sizes: Sizes<AllowanceName>, name: AllowanceName): number => sizes[name] ?? allowances[name].max

/** Limits that the gateway enforces. */
export const ceilings = {
  platform: {
    operations: 'all requests to /v1/* and /mcp, from all clients to all sites',
    countedPer: 'platform',
    max: 100,
    windowSeconds: 1,
    afterwards: '429 platform_busy from the gateway; bursts of 200 are allowed',
  },
  ...streamCeilings,
} as const satisfies Record<string, Limit & { afterwards: string }>

/** The size of the gateway's token bucket: a burst this large is allowed. */
export const platformBurst = 200

/** Large enough for a story of 2,500 words in Tamil with every character escaped. */
export const maxBodyBytes = 256 * 1024
/** Forms of the owner page and the desk. The longest field is an appeal's explanation. */
export const maxFormBytes = 16 * 1024
/** Events of the payment provider. Far more than Stripe's largest events need. */
export const maxPaymentEventBytes = 512 * 1024

export type RequestRate = { perMinute: number; burst: number }

/**
 * What the gateway allows one address; the addresses of an IPv6 /64 count as one. Many people and agents can share an
 * address, so each number is far above what one of them needs, and far below what the gateway can hold.
 */
export const addressLimits = {
  /** Open connections. More are closed. At least `platformBurst`, so that one client can use the whole burst. */
  connections: 256,
  /** Requests in progress at the API; HTTP/2 sends several over one connection. */
  apiRequestsInProgress: 256,
  /** Requests in progress at the owner page and at the desk, each. */
  pageRequestsInProgress: 32,
  /** All requests to the owner page, and the forms among them. */
  ownerPage: { perMinute: 600, burst: 100 },
  ownerForms: { perMinute: 30, burst: 30 },
  /** Forms of the owner page that send an email. */
  ownerEmails: { perMinute: 6, burst: 10 },
  /** A whole team can work at the desk from one address. */
  desk: { perMinute: 1_200, burst: 200 },
  /** The payment provider sends again what was refused. */
  paymentEvents: { perMinute: 3_000, burst: 500 },
} as const

/** How long the gateway waits for a whole header, and between two parts of a body. */
export const gatewayTimeouts = { headerSeconds: 10, bodySeconds: 10 } as const

/** The same emails for all addresses together: more would delay links and codes, as workers send other email too. */
export const ownerEmailsTogether: RequestRate = { perMinute: 300, burst: 60 }

export const maxApiKeysPerAccount = 20

/** The endpoints table enforces the same number. */
export const maxWebhooksPerAccount = 5

/** How many of the daily deliveries to unproven endpoints only tests can use, so that the account can still prove one. */
export const unprovenDeliveriesForTests = 5

/**
 * How many pages of the payment provider an account can open, for top-ups and cards together, per hour and day in UTC.
 * Nobody needs as many to pay; whoever tests stolen cards does.
 */
export const paymentPages = { perHour: 10, perDay: 20 } as const

/** The names of these counts. They are not limits of the API, so /rate-limits.json does not list them. */
export type PaymentPageCount = 'payment-pages-per-account' | `payment-pages-in-hour-${number}`

/** How long an owner link stays valid. */
export const ownerLinkSeconds = 3_600

/** How long the owner stays signed in: after the last request, and in total. */
export const ownerSession = { idleSeconds: 1_800, wholeSeconds: 43_200 } as const

/** How long a link for registering a staff passkey stays valid, and how long staff stay signed in. */
export const staffLinkSeconds = 86_400
export const staffSession = { idleSeconds: 3_600, wholeSeconds: 43_200 } as const

/**
 * Times at the desk: how long a case is leased to the person who has it open, how long a decision can be undone, how
 * long a skipped case is hidden from the same person, and the deadline for a person to check an automated decision.
 */
export const desk = { leaseSeconds: 120, undoSeconds: 10, skipSeconds: 1_800, checkSeconds: 86_400 } as const

/**
 * The six-digit codes that we email to the owner. `wrongPerDay` limits wrong sign-in codes per UTC day for visitors who
 * used a link from the account's agent. Beyond it, only an emailed link works until 00:00 UTC.
 */
export const ownerCodes = { lifeSeconds: 600, tries: 5, wrongPerDay: 20 } as const

/** The number of verified accounts that makes a mail domain a provider, whose mailboxes belong to many people. */
export const providerAccounts = 100

/**
 * The maximum number of sign-in emails per hour: codes, by how the visitor reached the page, and emails with links. An
 * account's agent can use up only three of the account's five codes. A mailbox has a separate limit for each kind of
 * email, seventeen in total: someone who creates accounts with a stranger's address can use up neither the stranger's
 * links nor the codes that these links request. Sub-addresses (`name+tag@`) belong to one mailbox; an address that its
 * owner has verified has its own number of links.
 */
export const ownerMailsPerHour = {
  account: { all: 5, agent_link: 3, mailed_link: 5, session: 5 },
  mailbox: { links: 2, agent_link: 5, mailed_link: 3, session: 2, connect: 5 },
} as const
