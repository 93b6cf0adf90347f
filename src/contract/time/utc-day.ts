const dayMs = 86_400_000

export const utcDay = (at: Date): string => at.toISOString().slice(0, 10)

export const startOfUtcDay = (at: Date): Date => new Date(at.getTime() - (at.getTime() % dayMs))

/** Seconds until the next UTC day, rounded up: when daily limits reset. */
export const secondsToMidnight = (at: Date): number => 86_400 - (Math.floor(at.getTime() / 1_000) % 86_400)
