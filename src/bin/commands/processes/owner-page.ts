import { openClientDocuments } from '../../../oauth/clients/metadata-documents.ts'
import { buildOwnerPage } from '../../../owner-page/server.ts'
import { openPayments, paymentSettings } from '../../../platform/payments/open-payments.ts'
import { openSealing } from '../../../platform/sealing.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { operatorFrom, operatorIdentity } from '../../../platform/settings/subjects/contact-settings.ts'
import type { Command } from '../../command.ts'
import { outboundFromSettings, outboundSettings } from '../../outbound.ts'
import { processSettings, runProcess } from '../../run-process.ts'

export const ownerPageSettings = [
  ...processSettings,
  ...paymentSettings,
  ...operatorIdentity,
  'OWNER_PAGE_DATABASE_URL',
  'OWNER_PAGE_PORT',
  'OWNER_PAGE_HEALTH_PORT',
  ...outboundSettings,
] as const

const ownerPage: Command = {
  usage: 'owner-page',
  summary: 'Runs the owner page.',
  details: 'Listens on OWNER_PAGE_PORT for the gateway, and on OWNER_PAGE_HEALTH_PORT for health checks.',
  run: async ({ environment }) => {
    const settings = readSettings(environment, ownerPageSettings)
    const payments = await openPayments(settings)
    await runProcess({
      name: 'owner-page',
      settings,
      databaseUrl: settings.OWNER_PAGE_DATABASE_URL,
      healthPort: settings.OWNER_PAGE_HEALTH_PORT,
      open: async (parts) => {
        const outbound = outboundFromSettings(settings)
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
        await app.listen({ host: settings.LISTEN_HOST, port: settings.OWNER_PAGE_PORT })
        return { close: () => app.close().finally(() => outbound.close()) }
      },
    })
  },
}

export const commands: readonly Command[] = [ownerPage]
