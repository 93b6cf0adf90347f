import { allowances } from '../../contract/limits.ts'
import { buildServer } from '../../http/server.ts'
import { sitesFrom } from '../../http/sites.ts'
import { kinds } from '../../kinds/index.ts'
import { openSealing } from '../../platform/sealing.ts'
import { readSettings } from '../../platform/settings.ts'
import type { Command } from '../command.ts'
import { outboundOf, outboundSettings } from '../outbound-of.ts'
import { processSettings, runProcess } from '../run-process.ts'

const allowanceSizes = (accountsPerAddress: number | undefined) => ({
  'accounts-per-address': accountsPerAddress ?? allowances['accounts-per-address'].max,
  'webhook-tests-per-account': allowances['webhook-tests-per-account'].max,
})

export const apiSettings = [
  ...processSettings,
  'API_DATABASE_URL',
  'API_PORT',
  'API_HEALTH_PORT',
  'ACCOUNTS_PER_ADDRESS_PER_DAY',
  ...outboundSettings,
] as const

export const api: Command = {
  usage: 'api',
  summary: 'Runs one API process.',
  details: 'Listens on API_PORT for the gateway, and on API_HEALTH_PORT for /healthz, /readyz and /metrics.',
  run: async ({ environment }) => {
    const settings = readSettings(environment, apiSettings)
    const sites = sitesFrom(kinds, settings.SITES)
    await runProcess({
      name: 'api',
      settings,
      databaseUrl: settings.API_DATABASE_URL,
      healthPort: settings.API_HEALTH_PORT,
      open: async (parts) => {
        const outbound = outboundOf(settings)
        const app = buildServer({
          ...parts,
          sites,
          accountPageUrl: settings.ACCOUNT_PAGE_URL,
          allowances: allowanceSizes(settings.ACCOUNTS_PER_ADDRESS_PER_DAY),
          obeysTestWords: settings.BROADSIDE_ENVIRONMENT !== 'production',
          sealing: openSealing(settings.SECRETS_KEYS),
          outbound,
        })
        await app.listen({ host: settings.LISTEN_HOST, port: settings.API_PORT })
        return { close: () => app.close().finally(() => outbound.close()) }
      },
    })
  },
}
