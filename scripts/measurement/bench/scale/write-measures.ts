import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sitesFromSettings } from '../../../../src/bin/sites.ts'
import { type Kind, kinds } from '../../../../src/kinds/index.ts'
import { systemClock } from '../../../../src/platform/clock.ts'
import { connect } from '../../../../src/platform/database/database.ts'
import { rebuildSite } from '../../../../src/publishing/rebuild/rebuild-site.ts'
import { siteViews } from '../../../../src/publishing/views.ts'
import { startApi } from '../../../../tooling/environment/processes.ts'
import { median } from '../../../../tooling/median.ts'
import { accountId } from '../../../generation/seed/batch.ts'
import { giveSeededKeys } from '../search/environment.ts'
import { runLoad } from '../submit/submit.ts'
import { openWebhookEnvironment } from '../webhooks/environment.ts'
import { deliverEvents } from '../webhooks/webhooks.ts'
import type { SizedDatabase } from './place.ts'
import { round, type SizeResult } from './results.ts'

export type Sized = { database: SizedDatabase; result: SizeResult }
type Rounds = { seconds: number; rounds: number }

const submitters = 1_000
const clients = 16

/** Submissions a second over HTTP with two API processes for each size, in turns, and the latency at 100 a second. */
export async function measureSubmissions(sizes: readonly Sized[], { seconds, rounds }: Rounds): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const loads = new Map<Sized, { load: Omit<Parameters<typeof runLoad>[0], 'seconds'>; rates: number[] }>()
  for (const size of sizes) {
    const { database } = size
    const apiKeys = await openSubmitters(database)
    const first = stack.use(await startApi(database, { LOG_LEVEL: 'silent' }))
    const second = stack.use(await startApi(database, { LOG_LEVEL: 'silent', SITES: String(first.settings.SITES) }))
    const load = { ports: [first.port, second.port], host: new URL(first.baseUrl).host, apiKeys, clients }
    // Warms the caches and the processes.
    await runLoad({ ...load, seconds })
    loads.set(size, { load, rates: [] })
  }
  for (let number = 0; number < rounds; number++)
    for (const { load, rates } of loads.values()) rates.push((await runLoad({ ...load, seconds })).perSecond)
  for (const [{ result }, { load, rates }] of loads) {
    const { p50, p99 } = await runLoad({ ...load, seconds: seconds * 2, perSecond: 100 })
    result.submit = { perSecond: median(rates), p50, p99 }
  }
  for (const { database } of sizes) await forgetQueued(database)
}

/** Known keys and enough balance for the seeded authors. */
async function openSubmitters({ urls }: SizedDatabase): Promise<string[]> {
  await using owner = connect(urls.migrator, { poolMax: 1, applicationName: 'bench setup', statementTimeoutMs: 0 })
  await owner.pool.query(
    `insert into ledger_transfers (id, account_id, from_book, to_book, amount_micros, reason, subject, entered_at)
     select replace(id, 'acct_0', 'txn_1'), id, 'operator_credit', 'prepaid', 1000000000, 'credit', 'bench ' || id, $2
     from unnest($1::text[]) id on conflict do nothing`,
    [Array.from({ length: submitters }, (_, number) => accountId(number)), new Date()],
  )
  return giveSeededKeys({ urls }, submitters)
}

/** Deletes the submitted posts and their jobs, so that the next run does not have to moderate them. */
async function forgetQueued({ urls }: SizedDatabase): Promise<void> {
  await using owner = connect(urls.migrator, { poolMax: 1, applicationName: 'bench cleanup', statementTimeoutMs: 0 })
  await owner.pool.query(`
    begin;
    alter table posts disable trigger user;
    delete from post_signatures where post_id in (select id from posts where status = 'queued');
    delete from posts where status = 'queued';
    alter table posts enable trigger user;
    truncate pgboss.job_common cascade;
    commit`)
}

const endpoints = 20

/** Deliveries a second of one worker process for each size, in turns. */
export async function measureDeliveries(sizes: readonly Sized[], deliveries: number, rounds: number): Promise<void> {
  await using stack = new AsyncDisposableStack()
  const perEndpoint = Math.ceil(deliveries / endpoints)
  const places = new Map<Sized, { environment: Awaited<ReturnType<typeof openWebhookEnvironment>>; rates: number[] }>()
  for (const size of sizes) {
    const environment = await openWebhookEnvironment(stack, { endpoints, profile: undefined, database: size.database })
    await deliverEvents(environment, perEndpoint)
    places.set(size, { environment, rates: [] })
  }
  for (let number = 0; number < rounds; number++)
    for (const { environment, rates } of places.values())
      rates.push((await deliverEvents(environment, perEndpoint)).worker.per_second)
  for (const [{ result, database }, { rates }] of places) {
    result.delivery = { perSecond: median(rates) }
    await using owner = connect(database.urls.migrator, { poolMax: 1, applicationName: 'bench cleanup' })
    await owner.pool.query('update webhooks set deleted_at = $1', [new Date()])
  }
}

class LongEnough extends Error {}

/** Pages a second of a rebuild of the site with the most posts. It stops after some seconds. */
export async function measureRebuild({ database, result }: Sized, seconds: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'broadside-bench-'))
  try {
    const baseUrls = Object.fromEntries(kinds.map(({ name }, at) => [name, `http://127.0.0.1:${40_000 + at}`]))
    const site = siteViews(sitesFromSettings(baseUrls)).get((kinds[0] as Kind).name)
    if (!site) return
    const databaseUrl = database.urls.worker
    await using connection = connect(databaseUrl, { poolMax: 4, applicationName: 'bench', statementTimeoutMs: 0 })
    const startedAt = performance.now()
    // Begins with the first pages: processes and caches are warm then.
    let [firstAt, firstDone, lastAt, lastDone] = [0, 0, 0, 0]
    const onProgress = (done: number) => {
      ;[lastAt, lastDone] = [performance.now(), done]
      if (firstAt === 0) [firstAt, firstDone] = [lastAt, lastDone]
      if (lastAt - startedAt > seconds * 1_000) throw new LongEnough()
    }
    await rebuildSite({
      ...{ db: connection.db, clock: systemClock, databaseUrl, site, pages: { directory: folder } },
      ...{ threads: 2, documents: new Map(), onProgress },
    }).catch((error) => {
      if (!(error instanceof LongEnough)) throw error
    })
    // A small site reports its progress once.
    if (lastAt === firstAt) [firstAt, firstDone] = [startedAt, 0]
    const elapsed = (lastAt - firstAt) / 1_000
    result.rebuild = { pagesPerSecond: round((lastDone - firstDone) / elapsed) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
