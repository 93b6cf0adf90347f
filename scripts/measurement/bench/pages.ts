import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { gunzipSync } from 'node:zlib'
import { type Kind, kinds } from '../../../src/kinds/index.ts'
import { postFile } from '../../../src/publishing/site-files.ts'
import { decimal, readOptions, wholeNumber } from '../../../tooling/script-options.ts'
import { waitFor } from '../../../tooling/services/state.ts'
import { load, percentilesOf, printTable } from './harness.ts'
import { type BenchService, makeMessage, openService } from './service.ts'

const { site } = kinds[0] as Kind

/** From the decision until the page and the front page's feed show a post, and what a publication costs. */
export async function benchPages(args: string[]): Promise<void> {
  const options = { posts: wholeNumber(100_000), seconds: decimal(30), rate: decimal(5) }
  const { posts, seconds, rate } = readOptions(args, options)
  const rows: Record<string, Record<string, number>> = {}
  for (const stored of [1_000, posts]) {
    await using service = await openService(stored)
    await service.start('model')
    await service.start('worker')
    await publish(service, { seconds: 5, perSecond: 2 })
    rows[`${stored.toLocaleString('en')} posts stored`] = await publish(service, { seconds, perSecond: rate })
  }
  printTable(`milliseconds from the decision until readable, at ${rate} posts a second`, rows)
}

async function publish(service: BenchService, rate: { seconds: number; perSecond: number }) {
  const before = await readMetrics(service)
  const ids: string[] = []
  const seen = watchSite(service.pagesDirectory)
  await load(rate, async () => {
    const { id } = JSON.parse(await service.call('/v1/posts', { body: makeMessage(), status: 202 }))
    ids.push(id)
    seen.await(id)
  })
  const isQueued = `select from posts where id = any($1) and status = 'queued' limit 1`
  await waitFor(async () => (await service.owner.pool.query(isQueued, [ids])).rowCount === 0, 'decisions', 300_000)
  const { rows } = await service.owner.pool.query<{ id: string; at: Date }>(
    `select id, decided_at as at from posts where id = any($1) and status = 'published'`,
    [ids],
  )
  const published = new Map(rows.map(({ id, at }) => [id, at.getTime()]))
  const times = await seen.untilAllOf([...published.keys()])
  const after = await readMetrics(service)
  const delays = (of: ReadonlyMap<string, number>) =>
    percentilesOf([...published].map(([id, at]) => Number(of.get(id)) - at))
  const [page, feed] = [delays(times.pages), delays(times.feeds)]
  const publications = after.publications - before.publications
  return {
    ...{ published: published.size, 'page p50': page.p50, 'page p95': page.p95, 'feed p50': feed.p50 },
    'feed p95': feed.p95,
    'files a publication': (after.files - before.files) / publications,
    'ms of work a publication': ((after.seconds - before.seconds) * 1_000) / publications,
  }
}

const everyMs = 50

/** Looks for the awaited posts in the files of the site, and notes when each was first there. */
function watchSite(pagesDirectory: string) {
  const waiting = { pages: new Set<string>(), feeds: new Set<string>() }
  const seen = { pages: new Map<string, number>(), feeds: new Map<string, number>() }
  const read = async (path: string) => {
    const packed = await readFile(join(pagesDirectory, site.slug, `${path}.gz`)).catch(() => undefined)
    return packed ? gunzipSync(packed).toString() : ''
  }
  let isOver = false
  const note = (of: 'pages' | 'feeds', id: string) => {
    waiting[of].delete(id)
    seen[of].set(id, Date.now())
  }
  const watching = (async () => {
    for (; !isOver; await sleep(everyMs)) {
      for (const id of waiting.pages) if (await read(postFile(id, 'json'))) note('pages', id)
      const feed = await read('index.json')
      for (const id of waiting.feeds) if (feed.includes(id)) note('feeds', id)
    }
  })()
  return {
    await: (id: string) => {
      waiting.pages.add(id)
      waiting.feeds.add(id)
    },
    untilAllOf: async (ids: readonly string[]) => {
      const isShown = (id: string) => seen.pages.has(id) && seen.feeds.has(id)
      await waitFor(async () => ids.every(isShown), 'all pages and feeds', 120_000)
      isOver = true
      await watching
      return seen
    },
  }
}

/** The worker's counters: publications, files, and seconds spent on pages. */
async function readMetrics({ api }: BenchService) {
  const text = await (await fetch(`http://127.0.0.1:${api.settings.WORKER_HEALTH_PORT}/metrics`)).text()
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
