import { once } from 'node:events'
import { observeAccessLog } from '../../../platform/observability/access-log.ts'
import { startHealthServer } from '../../../platform/observability/health-server.ts'
import { createLogger } from '../../../platform/observability/logger.ts'
import { identityOf, startTelemetry } from '../../../platform/observability/telemetry.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type Command, CommandError } from '../../command.ts'

export const gatewayMetricsSettings = [
  'LISTEN_HOST',
  'LOG_LEVEL',
  'GATEWAY_ACCESS_LOG',
  'GATEWAY_METRICS_PORT',
] as const

const gatewayMetrics: Command = {
  usage: 'gateway-metrics',
  summary: 'Exports metrics of the gateway from its access log.',
  details:
    'Run it on the gateway machine, one process for each access log. It reads GATEWAY_ACCESS_LOG once a second and listens on ' +
    'GATEWAY_METRICS_PORT for /healthz, /readyz and /metrics. It needs no database and no network.',
  run: async ({ environment }) => {
    const settings = readSettings(environment, gatewayMetricsSettings)
    const { GATEWAY_ACCESS_LOG: log, GATEWAY_METRICS_PORT: port } = settings
    if (!log) throw new CommandError('Set GATEWAY_ACCESS_LOG to the file of the access log, as for the gateway.')
    const stop = new AbortController()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
    const identity = identityOf(port)
    const logger = createLogger(settings.LOG_LEVEL, 'gateway-metrics', undefined, identity)
    await using telemetry = startTelemetry({ process: 'gateway', instance: identity.instance })
    await using requests = observeAccessLog(log, {
      onError: (error) => logger.warn({ error }, 'the access log cannot be read'),
    })
    const { notReadyBecause } = requests
    await using _health = await startHealthServer({ host: settings.LISTEN_HOST, port, telemetry, notReadyBecause })
    logger.info('ready')
    if (!stop.signal.aborted) await once(stop.signal, 'abort')
    logger.info('stopped')
  },
}

export const commands: readonly Command[] = [gatewayMetrics]
