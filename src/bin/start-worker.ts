import { handlersOf } from '../handlers.ts'
import { startJobs } from '../jobs/run-jobs.ts'
import { askingSettings, modelOptions } from '../moderation/ask-model.ts'
import { controllerSettings, startController } from '../moderation/model/controller.ts'
import { watchModelState } from '../moderation/model/watch-state.ts'
import { decisionObserver } from '../moderation/observe.ts'
import type { Clock } from '../platform/clock.ts'
import type { Database } from '../platform/database.ts'
import type { Logger } from '../platform/logger.ts'
import type { Settings } from '../platform/settings.ts'
import type { Sites } from '../posts/sites.ts'

export const modelSettings = [...controllerSettings, ...askingSettings] as const

type Options = {
  db: Database
  databaseUrl: string
  clock: Clock
  logger: Logger
  sites: Sites
  settings: Settings<(typeof modelSettings)[number]>
  /** How often the model is looked at, if not as usual. */
  pace?: { tickMs: number; watchMs: number }
}

/** Takes jobs until it is closed; posts to judge only while the model runs. */
export async function startWorker({ db, databaseUrl, clock, logger, sites, settings, pace }: Options) {
  await using starting = new AsyncDisposableStack()
  // Closed in the other order: the model ends after the jobs that ask it.
  starting.use(startController({ databaseUrl, clock, logger, settings, ...(pace && { tickMs: pace.tickMs }) }))
  const handlers = handlersOf({
    db,
    clock,
    logger,
    sites,
    model: modelOptions(settings),
    observe: decisionObserver(logger),
  })
  const jobs = starting.use(
    await startJobs({ databaseUrl, handlers, logger, paused: ['moderate-post'], graceSeconds: 5 }),
  )
  const onChange = (state: string) => (state === 'running' ? jobs.resume('moderate-post') : jobs.pause('moderate-post'))
  starting.use(watchModelState({ db, logger, onChange, ...(pace && { intervalMs: pace.watchMs }) }))
  const stack = starting.move()
  return { close: () => stack.disposeAsync() }
}
