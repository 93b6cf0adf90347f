import { startJobs } from '../../../src/jobs/run-jobs.ts'
import { createLogger } from '../../../src/platform/observability/logger.ts'

/** A worker process that takes jobs and never finishes one: it reports its start, and waits to be killed. */
const begun = () => new Promise<never>(() => process.stdout.write('begun\n'))

await startJobs({
  databaseUrl: String(process.env['WORKER_DATABASE_URL']),
  handlers: { 'moderate-post': begun },
  logger: createLogger('silent', 'job worker'),
})
