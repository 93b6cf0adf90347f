/**
 * Facts of what is specified and not built yet. Each part goes when its feature brings a registry of its own, which the
 * pages then read.
 */

// TODO(#8): read this from src/contract/limits.ts.
export const comingLimits = [
  {
    operations: 'POST /v1/relay',
    countedPer: 'account',
    max: 20,
    afterwards: '429 rate_limited until 00:00 UTC',
  },
] as const
