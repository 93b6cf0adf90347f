import { openClientDocuments } from '../../../oauth/clients/metadata-documents.ts'
import { buildOwnerPage } from '../../../owner-page/server.ts'
import { openPayments, paymentSettings } from '../../../platform/payments/open-payments.ts'
import type { PaymentService } from '../../../platform/payments/provider.ts'
import { openSealing } from '../../../platform/sealing.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { operatorFrom, operatorIdentity } from '../../../platform/settings/subjects/contact-settings.ts'
import type { Command } from '../../command.ts'
import { outboundFromSettings, outboundSettings } from '../../outbound.ts'
import { listen, openServiceProcess, processSettings, runProcess, type Surroundings } from '../../run-process.ts'

export const ownerPageSettings = [
  ...processSettings,
  ...paymentSettings,
  ...operatorIdentity,
  'OWNER_PAGE_DATABASE_URL',
  'OWNER_PAGE_PORT',
  'OWNER_PAGE_HEALTH_PORT',
  ...outboundSettings,
] as const

type Options = { payments?: PaymentService }

export async function openOwnerPage(environment: NodeJS.ProcessEnv, surroundings: Surroundings, options: Options = {}) {
  const settings = readSettings(environment, ownerPageSettings)
  const payments = options.payments ?? (await openPayments(settings))
  const { LISTEN_HOST: host, OWNER_PAGE_PORT: port } = settings
  const { OWNER_PAGE_DATABASE_URL: databaseUrl, OWNER_PAGE_HEALTH_PORT: healthPort } = settings
  const definition = { name: 'owner-page', settings, databaseUrl, healthPort }
  return openServiceProcess(definition, surroundings, ({ stack, ...parts }) => {
    const outbound = outboundFromSettings(settings)
    stack.defer(() => outbound.close())
    const app = buildOwnerPage({
      ...parts,
      sealing: openSealing(settings.SECRETS_KEYS),
      payments,
      accountPageUrl: settings.ACCOUNT_PAGE_URL,
      operator: operatorFrom(settings),
      baseUrls: settings.SITES,
      documents: openClientDocuments(outbound, parts.logger),
      obeysTestWords: settings.BROADSIDE_ENVIRONMENT !== 'production',
    })
    return listen(stack, app, { host, port })
  })
}

export const commands: readonly Command[] = [
  {
    usage: 'owner-page',
    summary: 'Runs the owner page.',
    details: 'Listens on OWNER_PAGE_PORT for the gateway, and on OWNER_PAGE_HEALTH_PORT for health checks.',
    run: ({ environment }) => runProcess((surroundings) => openOwnerPage(environment, surroundings)),
  },
]
