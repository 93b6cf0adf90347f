/**
 * GET /v1/stream. `perAddress` is what the gateway lets one address keep open; `perAccount` counts private streams in one
 * process, where a further one closes the oldest. The ring holds recent events for readers that come back.
 */
export const streamLimits = {
  perAddress: 20,
  perAccount: 10,
  perProcess: 5_000,
  heartbeatSeconds: 15,
  /** A reader whose connection takes nothing for this long is disconnected. It can resume. */
  blockedSeconds: 30,
  ringEntries: 2_000,
  ringBytes: 16 * 1024 * 1024,
  /** The shortest and longest time that a reader is told to wait before it connects again. */
  retryMs: { from: 1_000, to: 3_000 },
} as const

/** How many streams the gateway lets open per second: less than its ceiling, so that other calls keep their share. */
export const streamOpenings = { perSecond: 50, burst: 100 } as const

/** What one address may open, so that it cannot use up the openings of all: twice what it can keep open, at once. */
export const streamOpeningsOfAddress = { perMinute: 120, burst: 2 * streamLimits.perAddress } as const

/** What /rate-limits.json says about them. */
export const streamCeilings = {
  'streams-per-address': {
    operations: 'GET /v1/stream: streams that are open at the same time',
    countedPer: 'address',
    max: streamLimits.perAddress,
    windowSeconds: null,
    afterwards: '429 platform_busy from the gateway',
  },
  'stream-openings-per-address': {
    operations: 'GET /v1/stream: new streams',
    countedPer: 'address',
    max: streamOpeningsOfAddress.perMinute / 60,
    windowSeconds: 1,
    afterwards: `429 platform_busy from the gateway; bursts of ${streamOpeningsOfAddress.burst} are allowed`,
  },
  'stream-openings': {
    operations: 'GET /v1/stream: new streams, from all clients to all sites',
    countedPer: 'platform',
    max: streamOpenings.perSecond,
    windowSeconds: 1,
    afterwards: `429 platform_busy from the gateway; bursts of ${streamOpenings.burst} are allowed`,
  },
} as const
