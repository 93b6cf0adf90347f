type Step = { name: string; startedAt: number }

export type Timeline = ReturnType<typeof startTimeline>

/** Prints lines as they arrive. A line that begins with ▶ begins a step; `summary` has the minutes of each. */
export function startTimeline() {
  const steps: Step[] = []
  const startedAt = performance.now()
  const say = (line: string) => {
    const name = /^▶ (.+)$/.exec(line)?.[1]
    if (!name) return console.log(line)
    steps.push({ name, startedAt: performance.now() })
    console.log(`[${minutes(startedAt, performance.now())}] ${line}`)
  }
  const summary = () => {
    const now = performance.now()
    const rows = steps.map(({ name, startedAt: from }, index) => {
      const until = steps[index + 1]?.startedAt ?? now
      return `${minutes(from, until).padStart(9)}  ${name}`
    })
    return [...rows, `${minutes(startedAt, now).padStart(9)}  in all`].join('\n')
  }
  return { say, summary }
}

/** `2.5 min`. */
export const minutes = (from: number, until: number): string => `${((until - from) / 60_000).toFixed(1)} min`
