/** The only source of business time, so that a test can set it to 23:59:59 UTC. */
export type Clock = { now: () => Date }

export const systemClock: Clock = { now: () => new Date() }

/** A clock that can be set: for tests, and for development with `clock advance`. */
export type OffsetClock = Clock & { setOffset(milliseconds: number): void }

export function offsetClock(base: Clock = systemClock): OffsetClock {
  let offset = 0
  return {
    now: () => new Date(base.now().getTime() + offset),
    setOffset: (milliseconds) => {
      offset = milliseconds
    },
  }
}

const unitMilliseconds = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** Parses '90s', '15m', '25h' or '7d'; null for anything else. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})([smhd])$/.exec(text)
  if (!match) return null
  return Number(match[1]) * unitMilliseconds[match[2] as keyof typeof unitMilliseconds]
}
