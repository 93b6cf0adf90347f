import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { LocalModel } from '../../model/server/local/local-model.ts'
import { buildModelServer } from '../../model/server/server.ts'
import type { outboundSettings } from '../../src/bin/outbound.ts'
import { startWorker } from '../../src/bin/start-worker.ts'
import { countPending } from '../../src/jobs/backlog.ts'
import { quickJobs } from '../../src/jobs/jobs.ts'
import type { Clock } from '../../src/platform/clock.ts'
import { connect, type Database } from '../../src/platform/database/database.ts'
import type { Logger } from '../../src/platform/observability/logger.ts'
import type { PagesPlace } from '../../src/platform/page-store/open-pages.ts'
import type { PaymentService } from '../../src/platform/payments/provider.ts'
import { type Settings, settings } from '../../src/platform/settings/settings.ts'
import type { Sites } from '../../src/posts/sites.ts'
import type { PageDelays } from '../../src/publishing/publishing.ts'
import { quietModel } from '../models/stub-models.ts'
import type { OwnDatabase } from '../services/databases.ts'
import { waitFor } from '../services/state.ts'

type Parts = {
  database: OwnDatabase
  clock: Clock
  logger: Logger
  sites: Sites
  pages: PagesPlace
  modelUrl?: string
  modelTimeoutSeconds?: number
  local?: LocalModel
  pageDelays?: PageDelays
  outbound: OutboundSettings
  accountPageUrl: string
  deskUrl: string
  payments: PaymentService
  smtpUrl: string
  attemptMs?: number
  /** Default: none. */
  erasureLog?: string | undefined
  /** Default: fixed keys. */
  signing?: Signing | undefined
}

export type Signing = {
  posts?: SigningKeys
  log?: SigningKeys
  logUrl?: string
}

type SigningKeys = Settings['POST_SIGNING_KEYS']

/** The same in all workers of a test: a second worker continues the log of the first. */
const testKey = (name: string) => `${name}:${createHash('sha256').update(name).digest('base64')}`

/** How the test service reaches receivers. */
export type OutboundSettings = Settings<(typeof outboundSettings)[number]>

/** A worker that calls a model over HTTP, as in production: the given one, or one that detects only test words. */
export async function startModerationWorker(stack: AsyncDisposableStack, parts: Parts) {
  const { database, clock, logger, sites, pages } = parts
  const modelUrl = parts.modelUrl ?? (await startModel(stack, parts))
  const { db } = stack.use(connect(database.urls.worker, { poolMax: 10, applicationName: 'test worker' }))
  const worker = await startWorker({
    db,
    databaseUrl: database.urls.worker,
    clock,
    logger,
    sites,
    pages,
    payments: parts.payments,
    // No random audits: a test that needs one creates it.
    draw: () => 1,
    pace: {
      ...{ tickMs: 100, watchMs: 100, delivery: { first: 50, again: 100, attemptMs: parts.attemptMs ?? 15_000 } },
      pageDelays: parts.pageDelays ?? { lists: 0, others: 0 },
    },
    settings: {
      MODEL_URL: modelUrl,
      MODEL_HEALTH_PATH: '/healthz',
      MODERATION_COSTS: undefined,
      MODEL_NAME: (parts.local ?? quietModel).name,
      CHECKS_DIRECTORY: undefined,
      CDN_PROVIDER: undefined,
      CDN_SERVICE_ID: undefined,
      CDN_TOKEN: undefined,
      CDN_API_URL: undefined,
      MODEL_API_KEY: undefined,
      JUDGE_URL: modelUrl,
      JUDGE_NAME: 'stand-in',
      JUDGE_FORM: 'policy-json',
      JUDGE_API_KEY: undefined,
      MODEL_TIMEOUT_SECONDS: parts.modelTimeoutSeconds ?? (parts.modelUrl ? 1 : 60),
      MODEL_DRIVER: 'always-on',
      MODEL_COMMAND: undefined,
      MODEL_START_URL: undefined,
      MODEL_STOP_URL: undefined,
      MODEL_DRIVER_TOKEN: undefined,
      MODEL_IDLE_SECONDS: 900,
      MODEL_START_SECONDS: 1_200,
      ...parts.outbound,
      ACCOUNT_PAGE_URL: parts.accountPageUrl,
      DESK_URL: parts.deskUrl,
      SMTP_URL: parts.smtpUrl,
      MAIL_FROM: 'Broadside <hello@localhost>',
      MAIL_BOUNCE_ADDRESS: 'bounces@localhost',
      MAIL_DKIM_DOMAIN: undefined,
      MAIL_DKIM_SELECTOR: undefined,
      MAIL_DKIM_KEY: undefined,
      REVIEW_EXPECTED_HOURS: 24,
      REVIEW_FEE_RETURN_HOURS: 72,
      ERASURE_LOG: parts.erasureLog,
      POST_SIGNING_KEYS: parts.signing?.posts ?? settings.POST_SIGNING_KEYS.parse(testKey('posts')),
      LOG_SIGNING_KEY: parts.signing?.log ?? settings.LOG_SIGNING_KEY.parse(testKey('log')),
      LOG_URL: parts.signing?.logUrl,
    },
  })
  stack.defer(worker.close)
}

async function startModel(stack: AsyncDisposableStack, { clock, logger, local = quietModel }: Parts): Promise<string> {
  const model = buildModelServer({ clock, logger, local, obeysTestWords: true, slowMs: 200 })
  await model.listen({ host: '127.0.0.1', port: 0 })
  stack.defer(() => model.close())
  return `http://127.0.0.1:${(model.server.address() as { port: number }).port}`
}

/**
 * Waits until no post or edit is queued, no desk decision is due, no job is due or running, no page is pending, no
 * delivery is due and the transparency log is complete.
 */
export async function settle(db: Database, clock: Clock, timeoutMs?: number): Promise<void> {
  // In the order in which work causes other work, so that none is missed that is passed on between two looks. A look
  // ends with the first that is left: a test waits longest on a busy machine, where each look slows the work down.
  const counts = [
    () => countQueued(db),
    () => countDecided(db, clock.now()),
    () => countPending(db),
    () => countPutOff(db),
    () => countLanes(db, clock.now()),
    () => countUnlogged(db),
    // The log enqueues the proofs of what it has taken up.
    () => countPending(db),
  ]
  const isSettled = async () => {
    for (const count of counts) if ((await count()) > 0) return false
    return true
  }
  await waitFor(isSettled, 'all posts to be decided and shown', timeoutMs)
}

/** Desk decisions whose undo window is over and that are not applied yet. */
async function countDecided(db: Database, at: Date): Promise<number> {
  const { due } = await db
    .selectFrom('desk_decisions')
    .select((query) => query.fn.countAll<number>().as('due'))
    .where('applied_at', 'is', null)
    .where('due_at', '<=', at)
    .executeTakeFirstOrThrow()
  return due
}

async function countLanes(db: Database, at: Date): Promise<number> {
  const { rows } = await sql<{ busy: number }>`
    select count(*) as busy from delivery_lanes where holder is not null or ready_at <= ${at}`.execute(db)
  return rows[0]?.busy ?? 0
}

/** Entries that the transparency log has not published yet, or whose proofs are not enqueued, unless it has stopped. */
async function countUnlogged(db: Database): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select (select count(*) from log_queue where entry_index is null) + size - proofs_through as waiting
    from log_head where stopped_reason is null`.execute(db)
  return rows[0]?.waiting ?? 0
}

/** Page writes are delayed a little to batch changes, and a failed one waits for its next attempt. */
async function countPutOff(db: Database): Promise<number> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from pgboss.job_common where name = any(${[...quickJobs]})
    and state < 'completed'`.execute(db)
  return rows[0]?.waiting ?? 0
}

async function countQueued(db: Database): Promise<number> {
  const count = async (table: 'posts' | 'post_edits') => {
    const { queued } = await db
      .selectFrom(table)
      .select((query) => query.fn.countAll<number>().as('queued'))
      .where('status', '=', 'queued')
      .executeTakeFirstOrThrow()
    return queued
  }
  return (await count('posts')) + (await count('post_edits'))
}
