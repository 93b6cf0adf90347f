import type { Database } from '../../platform/database/database.ts'
import type { ModelState } from '../../platform/database/database-types.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import { pause } from '../../platform/repeat.ts'

type Options = {
  db: Database
  /** Called with the state that is found first, and with each that follows. The next look waits for it. */
  onChange: (state: ModelState) => Promise<void> | void
  logger: Logger
  intervalMs?: number
}

export type ModelWatch = {
  /** Null before the first look. */
  state: () => ModelState | null
} & AsyncDisposable

/** Tells a worker, elected or not, when to take posts and when to leave them. While the database is away, all stays as it was. */
export function watchModelState({ db, onChange, logger, intervalMs = 500 }: Options): ModelWatch {
  const stop = new AbortController()
  let known: ModelState | null = null
  const look = async () => {
    const { state } = await db.selectFrom('model_status').select('state').executeTakeFirstOrThrow()
    if (state === known || stop.signal.aborted) return
    await onChange(state)
    // Only now: a change that could not be followed is tried again.
    known = state
  }
  const watching = (async () => {
    while (!stop.signal.aborted) {
      await look().catch((error) => logger.warn({ error }, 'the state of the model was not read or not followed'))
      await pause(intervalMs, stop.signal)
    }
  })()
  return {
    state: () => known,
    [Symbol.asyncDispose]: async () => {
      stop.abort()
      await watching
    },
  }
}
