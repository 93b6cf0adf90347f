import type { Clock } from '../../platform/clock.ts'
import type { Database } from '../../platform/database.ts'
import type { Logger } from '../../platform/logger.ts'
import type { Settings } from '../../platform/settings.ts'
import { driverFrom, driverSettings, type ModelDriver } from './drivers.ts'
import { seekOffice } from './election.ts'
import { lastDecisionId } from './measure.ts'
import { pause } from './pause.ts'
import { beginTerm, tick } from './tick.ts'

export const controllerSettings = [
  ...driverSettings,
  'MODEL_IDLE_SECONDS',
  'MODEL_START_SECONDS',
  'MODEL_TIMEOUT_SECONDS',
] as const

type Options = {
  /** For a connection of its own, with no pooler of transactions in between. */
  databaseUrl: string
  clock: Clock
  logger: Logger
  settings: Settings<(typeof controllerSettings)[number]>
  driver?: ModelDriver
  tickMs?: number
}

export type Controller = { isElected: () => boolean } & AsyncDisposable

/**
 * Starts and stops the model as posts come and cease, and keeps its state in the database. Every worker calls this; one
 * of them is elected and acts, and when it dies another one does within two seconds.
 */
export function startController(options: Options): Controller {
  const { databaseUrl, clock, logger, settings, driver = driverFrom(settings, logger), tickMs = 1_000 } = options
  const stop = new AbortController()
  let isElected = false
  const serve = async (db: Database) => {
    isElected = true
    logger.info('this worker controls the model')
    try {
      await govern({ db, clock, logger, settings, driver }, tickMs, stop.signal)
    } finally {
      isElected = false
    }
  }
  // The one who was elected instead could not stop a model that ends with this worker: so it ends now.
  const onRival = () => driver.letGo()
  const seeking = seekOffice({ databaseUrl, signal: stop.signal, serve, onRival, logger, retryMs: tickMs })
  return {
    isElected: () => isElected,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await seeking
      await driver[Symbol.asyncDispose]()
    },
  }
}

export type Office = Pick<Options, 'clock' | 'logger' | 'settings'> & { db: Database; driver: ModelDriver }

async function govern(office: Office, tickMs: number, signal: AbortSignal): Promise<void> {
  const { db, settings } = office
  // Who tells authors of it needs no settings of its own.
  await db.updateTable('model_status').set({ planned_start_seconds: settings.MODEL_START_SECONDS }).execute()
  const term = beginTerm(await lastDecisionId(db))
  while (!signal.aborted) {
    const begun = performance.now()
    await tick(office, term)
    await pause(Math.max(0, begun + tickMs - performance.now()), signal)
  }
  if (office.driver.endsWithWorker) await resign(office)
}

/** Whoever takes posts is told before the model ends, and the office is free only when it has. */
async function resign({ db, clock, driver }: Office): Promise<void> {
  await db.updateTable('model_status').set({ state: 'idle', since: clock.now() }).where('state', '<>', 'idle').execute()
  await driver.letGo()
}
