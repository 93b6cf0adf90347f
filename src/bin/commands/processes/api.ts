import { watchLoop } from '../../../http/loop-delay.ts'
import { buildServer } from '../../../http/server.ts'
import { requestsPerConnection } from '../../../http/shed-load.ts'
import { sitesFrom } from '../../../http/sites.ts'
import { kinds } from '../../../kinds/index.ts'
import { byTokenOrKey } from '../../../mcp/authenticate-app.ts'
import { mountCommonMcp, mountMcp } from '../../../mcp/http-adapter.ts'
import { connect } from '../../../platform/database/database.ts'
import { openReplica, primaryReader } from '../../../platform/replica.ts'
import { openSealing } from '../../../platform/sealing.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { searchConnections, searchTimeoutMs } from '../../../search/time-limit.ts'
import type { Command } from '../../command.ts'
import { outboundFromSettings, outboundSettings } from '../../outbound.ts'
import { processSettings, runProcess } from '../../run-process.ts'

export const apiSettings = [
  ...processSettings,
  'API_DATABASE_URL',
  'API_REPLICA_DATABASE_URL',
  'REPLICA_MAX_LAG_SECONDS',
  'API_PORT',
  'API_HEALTH_PORT',
  'ACCOUNTS_PER_ADDRESS_PER_DAY',
  'GATEWAY_SECRET',
  ...outboundSettings,
] as const

const api: Command = {
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
        const outbound = outboundFromSettings(settings)
        const side = connect(settings.API_DATABASE_URL, {
          poolMax: searchConnections(settings.DATABASE_POOL_MAX),
          applicationName: 'broadside api side',
          statementTimeoutMs: searchTimeoutMs,
          commitsLater: true,
          onError: (error) => parts.logger.warn({ error }, 'idle database connection lost'),
        })
        const { API_REPLICA_DATABASE_URL: url, REPLICA_MAX_LAG_SECONDS: maxLagSeconds } = settings
        const replica = url
          ? openReplica({
              ...{ url, maxLagSeconds, primary: parts.db, fallback: side.db, clock: parts.clock, logger: parts.logger },
              poolMax: searchConnections(settings.DATABASE_POOL_MAX),
              applicationName: 'broadside api replica',
              statementTimeoutMs: searchTimeoutMs,
            })
          : undefined
        const reader = replica ?? primaryReader(side.db, parts.clock)
        const loop = watchLoop()
        const allowances = { 'accounts-per-address': settings.ACCOUNTS_PER_ADDRESS_PER_DAY }
        const app = buildServer({
          ...parts,
          sideDb: side.db,
          searchReader: reader,
          sites,
          mcp: mountMcp(sites, allowances),
          commonMcp: mountCommonMcp({
            sites,
            accountPageUrl: settings.ACCOUNT_PAGE_URL,
            allowances,
            authentication: byTokenOrKey(settings.ACCOUNT_PAGE_URL),
          }),
          accountPageUrl: settings.ACCOUNT_PAGE_URL,
          allowances,
          obeysTestWords: settings.BROADSIDE_ENVIRONMENT !== 'production',
          sealing: openSealing(settings.SECRETS_KEYS),
          outbound,
          gatewaySecrets: settings.GATEWAY_SECRET,
          maxInFlight: settings.DATABASE_POOL_MAX * requestsPerConnection,
          loopDelayMs: loop.delayMs,
        })
        await app.listen({ host: settings.LISTEN_HOST, port: settings.API_PORT })
        const closeOthers = async () => {
          loop.stop()
          await outbound.close()
          await replica?.[Symbol.asyncDispose]()
          await side[Symbol.asyncDispose]()
        }
        return { close: () => app.close().finally(closeOthers) }
      },
    })
  },
}

export const commands: readonly Command[] = [api]
