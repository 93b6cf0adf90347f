import { setTimeout as sleep } from 'node:timers/promises'

/** The current values of the worker's counters: publications, files, and seconds spent on pages. */
export async function readPageMetrics(url: string) {
  const text = await (await fetch(url)).text()
  const sum = (name: string, label = '') =>
    text
      .split('\n')
      .filter((line) => line.startsWith(`${name}{`) && line.includes(label))
      .reduce((total, line) => total + Number(line.split(' ')[1]), 0)
  return {
    publications: sum('pages_seconds_count', 'work="publish-post"'),
    files: sum('pages_files_total'),
    seconds: sum('pages_seconds_sum'),
  }
}

const everyMs = 50

/** Polls pages and feeds at the gateway until they show the new post, and records when each first did. */
export function watchPages(baseUrl: string) {
  const waiting = { pages: new Map<string, string>(), feeds: new Map<string, string>() }
  const seen = { pages: new Map<string, number>(), feeds: new Map<string, number>() }
  let isOver = false
  let added = 0
  const lookForPages = async () => {
    const ids = [...waiting.pages.keys()]
    await Promise.all(
      ids.map(async (id) => {
        const response = await fetch(`${baseUrl}/p/${id}`, { method: 'HEAD' })
        if (response.status !== 200) return
        seen.pages.set(id, Date.now())
        waiting.pages.delete(id)
      }),
    )
  }
  const lookForFeeds = async () => {
    await Promise.all(
      [...new Set(waiting.feeds.values())].map(async (path) => {
        const text = await (await fetch(`${baseUrl}/${path}index.json`)).text()
        for (const [id, awaited] of waiting.feeds)
          if (awaited === path && text.includes(id)) {
            seen.feeds.set(id, Date.now())
            waiting.feeds.delete(id)
          }
      }),
    )
  }
  const repeat = async (look: () => Promise<void>, pauseMs: number) => {
    while (!isOver) {
      await look()
      await sleep(pauseMs)
    }
  }
  const watching = Promise.all([repeat(lookForPages, everyMs), repeat(lookForFeeds, everyMs * 4)])
  return {
    /**
     * Watches a sample, because checking every post would add load. The feeds are those of the post's topic, or of the
     * front page.
     */
    add: (id: string, topic: string | undefined) => {
      added++
      if (added % 4 === 0) waiting.pages.set(id, id)
      if (added % 10 === 0) waiting.feeds.set(id, topic ? `topics/${topic}/` : '')
    },
    untilAllSeen: async (timeoutMs: number) => {
      const until = performance.now() + timeoutMs
      while (waiting.pages.size + waiting.feeds.size > 0 && performance.now() < until) await sleep(100)
      isOver = true
      await watching
      return { ...seen, unseen: waiting.pages.size + waiting.feeds.size }
    },
  }
}
