import type { ModelState } from '../../../generated/database-types.ts'
import type { Database } from '../../platform/database/database.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import { startRepeating } from '../../platform/repeat.ts'

type Options = {
  db: Database
  /** Called with the first state found and with each change. The next check waits for it. */
  onChange: (state: ModelState) => Promise<void> | void
  logger: Logger
  intervalMs?: number
}

export type ModelWatch = {
  /** Null before the first check. */
  state: () => ModelState | null
} & AsyncDisposable

/**
 * Follows the model's state in every worker, elected or not, so that it takes posts only while the model runs. While
 * the database is down, the last known state applies.
 */
export function watchModelState({ db, onChange, logger, intervalMs = 500 }: Options): ModelWatch {
  let known: ModelState | null = null
  const look = async (signal: AbortSignal) => {
    const { state } = await db.selectFrom('model_status').select('state').executeTakeFirstOrThrow()
    if (state === known || signal.aborted) return
    await onChange(state)
    // Set only now, so that a change that could not be applied is retried.
    known = state
  }
  const watching = startRepeating({
    everyMs: intervalMs,
    work: look,
    onError: (error) => logger.warn({ error }, 'could not read or apply the model state'),
  })
  return { state: () => known, ...watching }
}
