import type { ProblemCode } from './problems.ts'

/** What a limit is counted by. */
type CountedPer = 'address' | 'key' | 'account' | 'platform'

export type Limit = {
  operations: string
  countedPer: CountedPer
  max: number
  windowSeconds: number | null
  afterwards: string
}

/** A limit that the API counts and refuses beyond. Its size is the operator's to change. */
type Allowance = Limit & { countedPer: 'address' | 'key' | 'account'; problem: ProblemCode; sendsRetryAfter: boolean }

const secondsPerDay = 86_400

/** Limits that are counted in a UTC day and start anew at 00:00. */
export const allowances = {
  'accounts-per-address': {
    operations: 'POST /v1/accounts',
    countedPer: 'address',
    max: 100,
    windowSeconds: secondsPerDay,
    afterwards: '429 rate_limited until 00:00 UTC',
    problem: 'rate_limited',
    sendsRetryAfter: true,
  },
  // A test costs nothing and calls an address that nobody has shown to be the caller's own.
  'webhook-tests-per-account': {
    operations: 'POST /v1/webhooks/{id}/test',
    countedPer: 'account',
    max: 1_000,
    windowSeconds: secondsPerDay,
    afterwards: '429 rate_limited until 00:00 UTC',
    problem: 'rate_limited',
    sendsRetryAfter: true,
  },
} as const satisfies Record<string, Allowance>

export type AllowanceName = keyof typeof allowances

/** How many uses a day each allowance has in this deployment; 0 means no limit. */
export type AllowanceSizes = Partial<Record<AllowanceName, number>>

/** Limits on how much may exist or arrive at one time. */
export const ceilings = {
  platform: {
    operations: 'all of /v1/* and /mcp, all sites and clients together',
    countedPer: 'platform',
    max: 100,
    windowSeconds: 1,
    afterwards: '429 platform_busy from the gateway; bursts of 200 pass',
  },
} as const satisfies Record<string, Limit>

/** The gateway's bucket: a burst this large passes at once. */
export const platformBurst = 200

/** 2,500 words of escaped Tamil fit. */
export const maxBodyBytes = 256 * 1024

export const maxApiKeysPerAccount = 20

/** The table of endpoints has as many places for an account. */
export const maxWebhooksPerAccount = 5

/** How long an owner link opens the owner page. */
export const ownerLinkSeconds = 3_600
