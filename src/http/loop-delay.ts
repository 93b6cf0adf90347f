/** Frequent enough to notice a delay within a second, and rare enough to cost nothing. */
const everyMs = 50

/** The cap on a single measurement, and the weight of the latest one in the average. */
const mostMs = 500
const weight = 0.25

/** Measures the event loop delay as an exponential moving average. */
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

/** One pause of any length raises the average by at most 125 ms. Only repeated delays raise it further. */
export function smoothed(before: number, measured: number): number {
  const now = Math.min(Math.max(measured, 0), mostMs)
  return before + weight * (now - before)
}
