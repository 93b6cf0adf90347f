import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { showProgress } from '../../../../src/bin/progress.ts'
import { sitesFromSettings } from '../../../../src/bin/sites.ts'
import { type Kind, kinds } from '../../../../src/kinds/index.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import { connect } from '../../../../src/platform/database/database.ts'
import { rebuildSite } from '../../../../src/publishing/rebuild/rebuild-site.ts'
import { siteViews } from '../../../../src/publishing/views.ts'
import { type ApiClient, openApiClient } from '../../../../tooling/clients/api-client.ts'
import { decimal, oneOf, readOptions, wholeNumber } from '../../../../tooling/script-options.ts'
import { type Environment, openEnvironment } from '../../../fault-injection/chaos/environment.ts'
import { openCountedStore } from './counted-store.ts'
import { makeMessage, storeListedPosts } from './listed-posts.ts'
import { readPageMetrics, watchPages } from './watch-pages.ts'

const message = kinds[0] as Kind
const mostRebuilt = 10_000
/** Fewer than a new account can send to review on one day. */
export const postsOfAccount = 15

/**
 * Measures how long a decision takes to appear on the page and in the feeds, through the gateway and under a steady
 * load. Also measures the cost of one publication, with few and with many stored posts. With `--store s3`, the pages are
 * in a bucket, and the requests to it are counted.
 */
export async function benchPages(args: string[]): Promise<void> {
  const {
    posts,
    seconds,
    rate,
    store: kind,
  } = readOptions(args, {
    posts: wholeNumber(100_000),
    seconds: decimal(60),
    rate: decimal(20),
    store: oneOf(['directory', 's3'], 'directory'),
  })
  await using store = kind === 's3' ? await openCountedStore() : undefined
  const own = store && { settings: store.settings }
  await using environment = await openEnvironment({ driver: 'always-on', workers: 1, ...own })
  const accounts = await environment.createAccounts(Math.ceil((2 * seconds * rate) / postsOfAccount), 1_000_000_000)
  const [account] = accounts
  assert(account)
  const apiKeys = accounts.map(({ apiKey }) => apiKey)
  await environment.startWorkers()
  const results = []
  for (const stored of [1_000, posts]) {
    const { count } = (await environment.query<{ count: number }>('select count(*)::int from posts'))[0] ?? { count: 0 }
    await storeListedPosts(environment.database, message, { count: stored - count, accountId: account.id })
    // Files of old posts are not written: they do not affect a new post, and a hundred thousand would take long.
    if (stored <= mostRebuilt && !store) await rebuild(environment)
    store?.takeCounts(1)
    const measured = await measurePublications(environment, apiKeys, { seconds, rate })
    const result = { stored, ...measured, ...(store && { requests_per_publication: store.takeCounts(seconds * rate) }) }
    results.push(result)
    console.log(JSON.stringify({ bench: 'pages', ...result }))
  }
  const [few, many] = results
  const ratio = (member: 'files_per_publication' | 'ms_per_publication') =>
    Math.round((Number(many?.[member]) / Number(few?.[member])) * 100) / 100
  console.log(
    JSON.stringify({
      bench: 'pages',
      many_to_few: { files: ratio('files_per_publication'), ms: ratio('ms_per_publication') },
    }),
  )
  environment.logsIf(false)
}

async function rebuild(environment: Environment): Promise<void> {
  const { SITES, PAGES_DIRECTORY, WORKER_DATABASE_URL } = environment.settings
  const baseUrls = Object.fromEntries(
    String(SITES)
      .split(' ')
      .map((pair) => pair.split('=') as [string, string]),
  )
  const site = siteViews(sitesFromSettings(baseUrls)).get(message.name)
  assert(site)
  const databaseUrl = String(WORKER_DATABASE_URL)
  await using connection = connect(databaseUrl, { poolMax: 4, applicationName: 'bench', statementTimeoutMs: 0 })
  const startedAt = performance.now()
  const { posts, pages, files } = await rebuildSite({
    ...{ db: connection.db, clock: systemClock, databaseUrl, site, pages: { directory: String(PAGES_DIRECTORY) } },
    ...{ threads: 2, documents: new Map(), onProgress: showProgress('rebuilding') },
  })
  const perSecond = Math.round((posts + pages) / ((performance.now() - startedAt) / 1_000))
  const hours = Math.round((10_000_000 / perSecond / 3_600) * 10) / 10
  console.log(
    JSON.stringify({ bench: 'rebuild', posts, pages, files, pages_per_second: perSecond, hours_for_10_million: hours }),
  )
}

type Load = { seconds: number; rate: number }

/** Submits posts at this rate, and measures when their pages and feeds show them and what each publication costs. */
export async function measurePublications(
  environment: Environment,
  apiKeys: readonly string[],
  { seconds, rate }: Load,
) {
  const clients = apiKeys.map((apiKey) => openApiClient({ baseUrl: environment.baseUrl, apiKey, maxRetries: 10 }))
  const before = await readPageMetrics(environment.workerMetricsUrl)
  const watch = watchPages(environment.baseUrl)
  const sending: Promise<void>[] = []
  const startedAt = performance.now()
  for (let number = 0; number < seconds * rate; number++) {
    await sleep(Math.max(0, startedAt + (number * 1_000) / rate - performance.now()))
    const body = makeMessage(Math.floor(Math.random() * 1e9))
    const client = clients[number % clients.length] as ApiClient
    sending.push(
      client.submitPost(body as never, {}, { idempotencyKey: crypto.randomUUID() }).then(({ body: record }) => {
        if ('id' in record) watch.add(record.id, body.topics[0])
      }),
    )
  }
  await Promise.all(sending)
  const seen = await watch.untilAllSeen(60_000)
  const after = await readPageMetrics(environment.workerMetricsUrl)
  const decided = await environment.query<{ id: string; at: Date }>(
    'select id, decided_at as at from posts where id = any($1)',
    [[...seen.pages.keys(), ...seen.feeds.keys()]],
  )
  const decidedAt = new Map(decided.map(({ id, at }) => [id, at.getTime()]))
  const delays = (times: ReadonlyMap<string, number>) =>
    [...times].map(([id, time]) => time - Number(decidedAt.get(id))).sort((one, other) => one - other)
  const publications = after.publications - before.publications
  return {
    published: seen.pages.size,
    unseen: seen.unseen,
    page_ms: percentiles(delays(seen.pages)),
    feed_ms: percentiles(delays(seen.feeds)),
    files_per_publication: round((after.files - before.files) / publications),
    ms_per_publication: round(((after.seconds - before.seconds) * 1_000) / publications),
  }
}

const round = (value: number) => Math.round(value * 10) / 10

function percentiles(sorted: readonly number[]) {
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) }
}
