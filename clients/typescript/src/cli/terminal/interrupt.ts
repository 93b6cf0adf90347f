/** Runs work that Ctrl-C or SIGTERM ends. Then, `ended` decides the outcome. */
export async function withInterrupt<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  ended: () => Result,
): Promise<Result> {
  const stop = new AbortController()
  const abort = () => stop.abort()
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const name of signals) process.once(name, abort)
  try {
    return await work(stop.signal)
  } catch (error) {
    if (!stop.signal.aborted) throw error
    return ended()
  } finally {
    // From here on, a signal ends the process as usual.
    for (const name of signals) process.removeListener(name, abort)
  }
}
