/** A job that lets others go first: it waits while this process runs so many of the more urgent ones. */
export type Deference = { to: string; running: number }

/** So that the less urgent work goes on, slowly, while there is always something more urgent. */
const longestMs = 1_500

/** Counts what a process runs, and holds back what is less urgent. On a busy machine, all jobs share the processors. */
export function openUrgency() {
  const running = new Map<string, number>()
  const waiting = new Set<() => void>()
  const change = (name: string, by: number) => void running.set(name, (running.get(name) ?? 0) + by)

  async function untilCalm({ to, running: limit }: Deference): Promise<void> {
    const isCalm = () => (running.get(to) ?? 0) < limit
    if (isCalm()) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const look = () => {
      if (isCalm()) resolve()
    }
    const timer = setTimeout(resolve, longestMs)
    waiting.add(look)
    await promise
    clearTimeout(timer)
    waiting.delete(look)
  }

  return {
    /** Runs the work when nothing more urgent runs, or after a short while. */
    run: async <Result>(
      name: string,
      defersTo: Deference | undefined,
      work: () => Promise<Result>,
    ): Promise<Result> => {
      if (defersTo) await untilCalm(defersTo)
      change(name, 1)
      try {
        return await work()
      } finally {
        change(name, -1)
        for (const look of waiting) look()
      }
    },
  }
}
