import { pagesPlaceFrom, pagesSettings } from '../../../platform/page-store/pages-settings.ts'
import { openPayments, paymentSettings } from '../../../platform/payments/open-payments.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import type { Command } from '../../command.ts'
import { processSettings, runProcess } from '../../run-process.ts'
import { sitesFromSettings } from '../../sites.ts'
import { startWorker, workSettings } from '../../start-worker.ts'
import { assertErasureLog } from '../../startup/process-rules.ts'

export const workerSettings = [
  ...processSettings,
  ...workSettings,
  ...paymentSettings,
  ...pagesSettings,
  'WORKER_DATABASE_URL',
  'WORKER_HEALTH_PORT',
] as const

const worker: Command = {
  usage: 'worker',
  summary: 'Runs one worker process: moderation, pages, webhooks and scheduled jobs.',
  details:
    'You can run any number of workers. One elected worker starts and stops the model. Listens on WORKER_HEALTH_PORT for /healthz, ' +
    '/readyz and /metrics.',
  run: async ({ environment }) => {
    const settings = readSettings(environment, workerSettings)
    assertErasureLog(settings)
    const [sites, databaseUrl] = [sitesFromSettings(settings.SITES), settings.WORKER_DATABASE_URL]
    const pages = pagesPlaceFrom(settings)
    const payments = await openPayments(settings)
    await runProcess({
      name: 'worker',
      settings,
      databaseUrl,
      healthPort: settings.WORKER_HEALTH_PORT,
      open: (parts) => startWorker({ ...parts, databaseUrl, sites, pages, payments, settings }),
    })
  },
}

export const commands: readonly Command[] = [worker]
