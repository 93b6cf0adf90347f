import type { Pool } from 'pg'
import type { Migration } from '../../platform/database/migration-files.ts'
import { assertSchemaIsCurrent } from '../../platform/database/migrations.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import { pause } from '../../platform/repeat.ts'
import { databaseFault } from './database-fault.ts'

type Options = {
  pool: Pool
  migrations: readonly Migration[]
  environment: string
  logger: Logger
  stop: AbortSignal
  /** Told what the process waits for. */
  onFault: (fault: string) => void
}

const firstPauseMs = 250
const longestPauseMs = 5_000
/** Repeats the message now and then, so that an operator who looks at the end of the log sees it. */
const remindEvery = 60

/**
 * Waits until the database, the role and the schema are there. Says what is missing, and tries again until the signal
 * is aborted. Throws if waiting cannot help, for example if the schema is newer than the program.
 */
export async function waitForDatabase({
  pool,
  migrations,
  environment,
  logger,
  stop,
  onFault,
}: Options): Promise<void> {
  let [last, pauseMs, tries] = ['', firstPauseMs, 0]
  while (!stop.aborted) {
    try {
      return await assertSchemaIsCurrent(pool, migrations)
    } catch (error) {
      const fault = databaseFault(error, environment)
      if (!fault) throw error
      // While `migrate` runs, each try lacks another migration. That is one cause.
      const isNew = fault.cause !== last
      if (isNew || tries % remindEvery === 0) logger.warn(`${fault.message} Trying again until it works.`)
      onFault(fault.message)
      ;[last, pauseMs, tries] = [fault.cause, isNew ? firstPauseMs : Math.min(pauseMs * 2, longestPauseMs), tries + 1]
      await pause(pauseMs, stop)
    }
  }
}
