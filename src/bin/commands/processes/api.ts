import type { Operation } from '../../../contract/define-operation.ts'
import type { AllowanceSizes } from '../../../contract/limits.ts'
import { watchLoop } from '../../../http/loop-delay.ts'
import { buildServer } from '../../../http/server.ts'
import { requestsPerConnection } from '../../../http/shed-load.ts'
import { sitesFrom } from '../../../http/sites.ts'
import { type Kind, kinds } from '../../../kinds/index.ts'
import { byTokenOrKey } from '../../../mcp/authenticate-app.ts'
import { type CommonEndpoint, mountCommonMcp, mountMcp, type Serve } from '../../../mcp/http-adapter.ts'
import { connect } from '../../../platform/database/database.ts'
import { openReplica, primaryReader } from '../../../platform/replica.ts'
import { openSealing } from '../../../platform/sealing.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { searchConnections, searchTimeoutMs } from '../../../search/time-limit.ts'
import type { StreamTiming } from '../../../stream/stream-hub.ts'
import type { Command } from '../../command.ts'
import { outboundFromSettings, outboundSettings } from '../../outbound.ts'
import { listen, openServiceProcess, processSettings, runProcess, type Surroundings } from '../../run-process.ts'

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

/** What tests vary. Production gives none of it. */
export type ApiOptions = {
  kinds?: readonly Kind[]
  /** Operations that each site has too. */
  extraOperations?: readonly Operation[]
  /** The daily limits that are not the usual ones. */
  allowances?: AllowanceSizes
  streamTiming?: StreamTiming
  searchMs?: number
  loopDelayMs?: () => number
  serveMcp?: Serve
  commonMcp?: Partial<CommonEndpoint>
}

export function openApi(environment: NodeJS.ProcessEnv, surroundings: Surroundings, options: ApiOptions = {}) {
  const settings = readSettings(environment, apiSettings)
  const sites = sitesFrom(options.kinds ?? kinds, settings.SITES).map((site) => ({
    ...site,
    operations: [...site.operations, ...(options.extraOperations ?? [])],
  }))
  const { LISTEN_HOST: host, API_PORT: port, ACCOUNT_PAGE_URL: accountPageUrl } = settings
  const searchPool = {
    poolMax: searchConnections(settings.DATABASE_POOL_MAX),
    statementTimeoutMs: options.searchMs ?? searchTimeoutMs,
  }
  const { API_DATABASE_URL: databaseUrl, API_HEALTH_PORT: healthPort } = settings
  const definition = { name: 'api', settings, databaseUrl, healthPort }
  return openServiceProcess(definition, surroundings, async ({ stack, ...parts }) => {
    const { db, clock, logger } = parts
    const outbound = outboundFromSettings(settings)
    stack.defer(() => outbound.close())
    const { db: sideDb } = stack.use(
      connect(settings.API_DATABASE_URL, {
        ...searchPool,
        applicationName: 'broadside api side',
        commitsLater: true,
        onError: (error) => logger.warn({ error }, 'idle database connection lost'),
      }),
    )
    const { API_REPLICA_DATABASE_URL: url, REPLICA_MAX_LAG_SECONDS: maxLagSeconds } = settings
    const replica = { maxLagSeconds, applicationName: 'broadside api replica', ...searchPool }
    const searchReader = url
      ? stack.use(openReplica({ ...replica, url, primary: db, fallback: sideDb, clock, logger }))
      : primaryReader(sideDb, clock)
    const loop = watchLoop()
    stack.defer(() => loop.stop())
    const allowances = { 'accounts-per-address': settings.ACCOUNTS_PER_ADDRESS_PER_DAY, ...options.allowances }
    const authentication = byTokenOrKey(accountPageUrl)
    const app = buildServer({
      ...parts,
      sideDb,
      searchReader,
      sites,
      mcp: mountMcp(sites, allowances, options.serveMcp),
      commonMcp: mountCommonMcp({ sites, accountPageUrl, allowances, authentication, ...options.commonMcp }),
      accountPageUrl,
      allowances,
      obeysTestWords: settings.BROADSIDE_ENVIRONMENT !== 'production',
      sealing: openSealing(settings.SECRETS_KEYS),
      outbound,
      gatewaySecrets: settings.GATEWAY_SECRET,
      maxInFlight: settings.DATABASE_POOL_MAX * requestsPerConnection,
      loopDelayMs: options.loopDelayMs ?? loop.delayMs,
      streamTiming: options.streamTiming,
    })
    return { ...(await listen(stack, app, { host, port })), sites }
  })
}

export const commands: readonly Command[] = [
  {
    usage: 'api',
    summary: 'Runs one API process.',
    details: 'Listens on API_PORT for the gateway, and on API_HEALTH_PORT for /healthz, /readyz and /metrics.',
    run: ({ environment }) => runProcess((surroundings) => openApi(environment, surroundings)),
  },
]
