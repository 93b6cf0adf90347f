/** So many timeouts in a row, and nothing more is sent for a while: each one holds a connection for its whole time. */
export const timeoutsToOpen = 3

const firstPauseMs = 30_000
const laterPauseMs = 120_000

/** Whether the endpoint may only be tried with one delivery at a time, having timed out before. */
export const isHalfOpen = (timeouts: number) => timeouts >= timeoutsToOpen

/**
 * How long the circuit stays open after a run in which the timeouts in a row went from `before` to `now`: shorter when it
 * opens than when a trial has failed.
 */
export function circuitPauseMs({ before, now }: { before: number; now: number }): number {
  if (now < timeoutsToOpen || now === before) return 0
  return isHalfOpen(before) ? laterPauseMs : firstPauseMs
}
