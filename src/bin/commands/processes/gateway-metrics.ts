import { observeAccessLog } from '../../../platform/observability/access-log.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type Command, CommandError } from '../../command.ts'
import { openProcess, runProcess, type Surroundings } from '../../run-process.ts'

export const gatewayMetricsSettings = [
  'LISTEN_HOST',
  'LOG_LEVEL',
  'GATEWAY_ACCESS_LOG',
  'GATEWAY_METRICS_PORT',
] as const

export function openGatewayMetrics(environment: NodeJS.ProcessEnv, surroundings: Surroundings) {
  const settings = readSettings(environment, gatewayMetricsSettings)
  const { GATEWAY_ACCESS_LOG: log, GATEWAY_METRICS_PORT: healthPort } = settings
  if (!log) throw new CommandError('Set GATEWAY_ACCESS_LOG to the file of the access log, as for the gateway.')
  const definition = { name: 'gateway-metrics', measures: 'gateway', settings, healthPort }
  return openProcess(definition, surroundings, async ({ logger, stack, readyUnless }) => {
    const onError = (error: unknown) => logger.warn({ error }, 'the access log cannot be read')
    readyUnless(stack.use(await observeAccessLog(log, { onError })).notReadyBecause)
    return {}
  })
}

export const commands: readonly Command[] = [
  {
    usage: 'gateway-metrics',
    summary: 'Exports metrics of the gateway from its access log.',
    details:
      'Run it on the gateway machine, one process for each access log. It reads GATEWAY_ACCESS_LOG once a second and listens on ' +
      'GATEWAY_METRICS_PORT for /healthz, /readyz and /metrics. It needs no database and no network.',
    run: ({ environment }) => runProcess(async (surroundings) => openGatewayMetrics(environment, surroundings)),
  },
]
