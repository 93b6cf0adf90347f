import { allowances } from '../../contract/limits.ts'
import { buildServer } from '../../http/server.ts'
import { sitesFrom } from '../../http/sites.ts'
import { kinds } from '../../kinds/index.ts'
import { readSettings } from '../../platform/settings.ts'
import type { Command } from '../command.ts'
import { processSettings, runProcess } from '../run-process.ts'

const allowanceSizes = (accountsPerAddress: number | undefined) => ({
  'accounts-per-address': accountsPerAddress ?? allowances['accounts-per-address'].max,
})

export const apiSettings = [
  ...processSettings,
  'API_DATABASE_URL',
  'API_PORT',
  'API_HEALTH_PORT',
  'ACCOUNTS_PER_ADDRESS_PER_DAY',
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
        const app = buildServer({
          ...parts,
          sites,
          accountPageUrl: settings.ACCOUNT_PAGE_URL,
          allowances: allowanceSizes(settings.ACCOUNTS_PER_ADDRESS_PER_DAY),
          obeysTestWords: settings.BROADSIDE_ENVIRONMENT !== 'production',
        })
        await app.listen({ host: settings.LISTEN_HOST, port: settings.API_PORT })
        return app
      },
    })
  },
}
