import { enqueue } from '../../../src/jobs/enqueue.ts'
import type { JobName, JobPayload } from '../../../src/jobs/jobs.ts'
import { type Handlers, startJobs } from '../../../src/jobs/run-jobs.ts'
import { connect, inTransaction } from '../../../src/platform/database/database.ts'
import { createLogger } from '../../../src/platform/observability/logger.ts'
import { migratedDatabase } from '../../../tooling/services/databases.ts'

type WorkerOptions = Partial<Omit<Parameters<typeof startJobs>[0], 'handlers'>>

/** A database with empty queues, where each role acts as in production. */
export async function openJobFixture() {
  await using starting = new AsyncDisposableStack()
  const database = starting.use(await migratedDatabase('jobs'))
  const { db } = starting.use(connect(database.urls.api, { poolMax: 4, applicationName: 'test api' }))
  const owner = starting.use(connect(database.urls.migrator, { poolMax: 2, applicationName: 'test owner' }))
  const logLines: string[] = []
  const logger = createLogger('info', 'test', { write: (line: string) => void logLines.push(line) })
  const stack = starting.move()
  return {
    database,
    db,
    logLines,
    add: <Name extends JobName>(name: Name, payload: JobPayload<Name>) =>
      inTransaction(db, (tx) => enqueue(tx, name, payload)),
    startWorker: async (handlers: Handlers, options: WorkerOptions = {}) =>
      stack.use(await startJobs({ databaseUrl: database.urls.worker, logger, ...options, handlers })),
    /** Disposes of it with the fixture. */
    use: <Resource extends AsyncDisposable>(resource: Resource) => stack.use(resource),
    asOwner: async <Row>(sql: string, values: unknown[] = []) => (await owner.pool.query(sql, values)).rows as Row[],
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  }
}
