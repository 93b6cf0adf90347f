import type { Logger } from '../../platform/observability/logger.ts'

type Options<Item> = {
  logger: Logger
  pollMs: number
  /** The maximum number of concurrent tasks. */
  room: number
  take: (count: number) => Promise<Item[]>
  work: (item: Item) => Promise<void>
}

/**
 * Claims work while it has capacity: again immediately after it found some, otherwise after a delay or when a task
 * ends.
 */
export function startPollLoop<Item>({ logger, pollMs, room, take, work }: Options<Item>) {
  const running = new Set<Promise<void>>()
  let isStopped = false
  let wake = () => {}

  const start = (item: Item) => {
    const run = work(item).finally(() => {
      running.delete(run)
      wake()
    })
    running.add(run)
  }
  const turn = async () => {
    const free = room - running.size
    const taken = free > 0 ? await take(free) : []
    for (const item of taken) start(item)
    return taken.length
  }
  const untilWoken = () =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const loop = (async () => {
    while (!isStopped) {
      const taken = await turn().catch((error) => {
        logger.warn({ error }, 'could not poll for deliveries')
        return 0
      })
      if (taken === 0 && !isStopped) await untilWoken()
    }
  })()
  return {
    close: async () => {
      isStopped = true
      wake()
      await loop
      await Promise.all(running)
    },
  }
}
