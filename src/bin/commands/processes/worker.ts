import type { Kind } from '../../../kinds/index.ts'
import { pagesPlaceFrom, pagesSettings } from '../../../platform/page-store/pages-settings.ts'
import { openPayments, paymentSettings } from '../../../platform/payments/open-payments.ts'
import type { PaymentService } from '../../../platform/payments/provider.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import type { Command } from '../../command.ts'
import { openServiceProcess, processSettings, runProcess, type Surroundings } from '../../run-process.ts'
import { sitesFromSettings } from '../../sites.ts'
import { startWorker, type WorkOptions, workSettings } from '../../start-worker.ts'
import { assertErasureLog } from '../../startup/process-rules.ts'

export const workerSettings = [
  ...processSettings,
  ...workSettings,
  ...paymentSettings,
  ...pagesSettings,
  'WORKER_DATABASE_URL',
  'WORKER_HEALTH_PORT',
] as const

type Options = Pick<WorkOptions, 'draw' | 'pace'> & { kinds?: readonly Kind[]; payments?: PaymentService }

export async function openWorker(environment: NodeJS.ProcessEnv, surroundings: Surroundings, options: Options = {}) {
  const { kinds, payments: given, ...tempo } = options
  const settings = readSettings(environment, workerSettings)
  assertErasureLog(settings)
  const [sites, databaseUrl] = [sitesFromSettings(settings.SITES, kinds), settings.WORKER_DATABASE_URL]
  const pages = pagesPlaceFrom(settings)
  const payments = given ?? (await openPayments(settings))
  const definition = { name: 'worker', settings, databaseUrl, healthPort: settings.WORKER_HEALTH_PORT }
  return openServiceProcess(definition, surroundings, async (parts) => {
    await startWorker({ ...parts, ...tempo, databaseUrl, sites, pages, payments, settings })
    return {}
  })
}

export const commands: readonly Command[] = [
  {
    usage: 'worker',
    summary: 'Runs one worker process: moderation, pages, webhooks and scheduled jobs.',
    details:
      'You can run any number of workers. One elected worker starts and stops the model. Listens on WORKER_HEALTH_PORT for /healthz, ' +
      '/readyz and /metrics.',
    run: ({ environment }) => runProcess((surroundings) => openWorker(environment, surroundings)),
  },
]
