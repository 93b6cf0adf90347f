/** Often enough to notice within a second, and too seldom to be noticed. */
const everyMs = 50

/** What one measurement counts at most, and how much of the result the last one makes. */
const mostMs = 500
const weight = 0.25

/** Watches how late the event loop is, in the mean of the last few measurements. */
export function watchLoop() {
  let delayMs = 0
  let dueAt = performance.now() + everyMs
  const timer = setInterval(() => {
    const at = performance.now()
    delayMs = smoothed(delayMs, at - dueAt)
    dueAt = at + everyMs
  }, everyMs).unref()
  return { delayMs: () => delayMs, stop: () => clearInterval(timer) }
}

/** A single pause, however long, leaves it small. Only a loop that is late again and again brings it up. */
export function smoothed(before: number, measured: number): number {
  const now = Math.min(Math.max(measured, 0), mostMs)
  return before + weight * (now - before)
}
