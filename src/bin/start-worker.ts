import { startApplying } from '../cases/apply-decisions.ts'
import { observeDesk } from '../cases/statistics/metrics.ts'
import { openErasureLog } from '../erasures/erasure-log.ts'
import { startErasureLog } from '../erasures/write-erasures.ts'
import { handlersOf } from '../handlers.ts'
import { guardSweeps } from '../jobs/clock-guard.ts'
import { moderationJobs } from '../jobs/jobs.ts'
import { startJobs } from '../jobs/run-jobs.ts'
import { startResumingStalled } from '../jobs/stalled-jobs.ts'
import { controllerSettings, startController } from '../moderation/model-control/controller.ts'
import { watchModelState } from '../moderation/model-control/watch-state.ts'
import { decisionObserver } from '../moderation/pipeline/decision-metrics.ts'
import { stageOptions, stageSettings } from '../moderation/pipeline/judge-in-stages.ts'
import { cdnSettingNames, openPurgeClient } from '../platform/cdn/purge-client.ts'
import { type Clock, systemClock } from '../platform/clock.ts'
import type { Database } from '../platform/database/database.ts'
import { openMailer } from '../platform/mail/mailer.ts'
import type { Logger } from '../platform/observability/logger.ts'
import { openPages, type PagesPlace } from '../platform/page-store/open-pages.ts'
import type { PaymentService } from '../platform/payments/provider.ts'
import { openSealing } from '../platform/sealing.ts'
import type { Settings } from '../platform/settings/settings.ts'
import type { Sites } from '../posts/sites.ts'
import { requestPurgesAt, startPurging } from '../publishing/jobs/cdn-purges.ts'
import { enqueueStandingPages } from '../publishing/jobs/enqueue-pages.ts'
import { enqueueProofs } from '../publishing/jobs/write-proof.ts'
import { openPublishing, type PageDelays, pageObserver } from '../publishing/publishing.ts'
import { observeOpenCases } from '../reports/report-cases.ts'
import { logFolder, openLog, storeOfLog } from '../transparency-log/log.ts'
import { startLog } from '../transparency-log/start-log.ts'
import { type DeliveryPace, startDispatcher } from '../webhooks/delivery/dispatcher.ts'
import { dkimFromSettings, dkimSettings } from './dkim.ts'
import { outboundFromSettings, outboundSettings } from './outbound.ts'
import { proofSettingNames, proofsFromSettings, registerKeys } from './proofs.ts'
import { observeService } from './worker-metrics.ts'

export const workSettings = [
  ...controllerSettings,
  ...stageSettings,
  ...outboundSettings,
  'ACCOUNT_PAGE_URL',
  'DESK_URL',
  'SMTP_URL',
  'MAIL_FROM',
  'MAIL_BOUNCE_ADDRESS',
  'REVIEW_EXPECTED_HOURS',
  'REVIEW_FEE_RETURN_HOURS',
  'CHECKS_DIRECTORY',
  'ERASURE_LOG',
  ...proofSettingNames,
  ...cdnSettingNames,
  ...dkimSettings,
] as const

export type WorkOptions = {
  stack: AsyncDisposableStack
  db: Database
  databaseUrl: string
  clock: Clock
  logger: Logger
  sites: Sites
  pages: PagesPlace
  payments: PaymentService
  settings: Settings<(typeof workSettings)[number]>
  /** Selects the decisions that people audit; random by default. */
  draw?: () => number
  /**
   * How often to check the model and the deliveries, and how long to collect changes to pages. Defaults apply if
   * omitted.
   */
  pace?: { tickMs: number; watchMs: number; pageDelays?: PageDelays; delivery?: DeliveryPace }
}

/** Posts of a second share a checkpoint. */
const logEveryMs = 1_000

/** Runs jobs until the stack is disposed. Moderation jobs run only while the model runs. */
export async function startWorker({ stack, db, databaseUrl, clock, logger, settings, pace, ...options }: WorkOptions) {
  const { sites, logSigner, publicKeys } = proofsFromSettings(settings, options.sites)
  await openLog(db, logSigner)
  // Closed in reverse order: the model ends after the jobs that use it.
  stack.use(startController({ databaseUrl, clock, logger, settings, ...(pace && { tickMs: pace.tickMs }) }))
  await registerKeys(db, publicKeys, clock.now())
  const moderation = {
    db,
    clock,
    logger,
    sites,
    model: stageOptions(settings),
    observe: decisionObserver(logger),
    draw: options.draw,
  }
  const { payments } = options
  const pages = stack.use(openPages(options.pages))
  const opened = await openPublishing({ db, clock, sites, pages, delays: pace?.pageDelays })
  const cdn = openPurgeClient(settings)
  if (cdn) stack.use(startPurging({ db, clock, logger, cdn }))
  const requestPurges = cdn ? requestPurgesAt(clock) : undefined
  const publishing = { ...opened, requestPurges, observe: pageObserver() }
  const { SMTP_URL: smtpUrl, MAIL_FROM: from, MAIL_BOUNCE_ADDRESS: bounceAddress } = settings
  const mailer = stack.use(openMailer({ smtpUrl, from, bounceAddress, dkim: dkimFromSettings(settings) }))
  const sealing = openSealing(settings.SECRETS_KEYS)
  const post = { mailer, logger, accountPageUrl: settings.ACCOUNT_PAGE_URL }
  const reviews = {
    expectedSeconds: settings.REVIEW_EXPECTED_HOURS * 3_600,
    feeReturnSeconds: settings.REVIEW_FEE_RETURN_HOURS * 3_600,
  }
  const log = settings.ERASURE_LOG ? openErasureLog(settings.ERASURE_LOG) : null
  if (!log) logger.warn('ERASURE_LOG is not set, so a restored backup brings back what was deleted since')
  const erasures = { db, clock: systemClock, log }
  const outbound = outboundFromSettings(settings)
  stack.defer(() => outbound.close())
  const own = { deskUrl: settings.DESK_URL, sealing, payments, reviews, erasures, outbound }
  const handlers = guardSweeps(handlersOf({ moderation, publishing, post, ...own }), { db, logger })
  const dispatcher = stack.use(await startDispatcher({ db, clock, logger, sealing, outbound, pace: pace?.delivery }))
  const jobs = stack.use(await startJobs({ databaseUrl, handlers, logger, paused: moderationJobs, graceSeconds: 5 }))
  stack.use(startResumingStalled(db, (error) => logger.warn({ error }, 'cannot look for stalled jobs')))
  await enqueueStandingPages(publishing)
  const store = storeOfLog(await pages.openSite(logFolder), logSigner.name)
  stack.use(startLog({ db, clock, logger, signer: logSigner, store, enqueueProofs }, pace?.watchMs ?? logEveryMs))
  stack.use(observeOpenCases(db, clock))
  stack.use(observeDesk(db, clock))
  stack.use(observeService({ db, clock, pages: options.pages, checksDirectory: settings.CHECKS_DIRECTORY }))
  stack.use(startErasureLog({ ...erasures, logger, everyMs: pace?.watchMs ?? 1_000 }))
  stack.use(startApplying({ db, clock, sites, logger }, pace?.watchMs))
  const onChange = async (state: string) => {
    for (const name of moderationJobs) await (state === 'running' ? jobs.resume(name) : jobs.pause(name))
  }
  stack.use(watchModelState({ db, logger, onChange, ...(pace && { intervalMs: pace.watchMs }) }))
  // In parallel, because each can take its whole grace period.
  stack.defer(async () => void (await Promise.all([dispatcher.close(), jobs.close()])))
}
