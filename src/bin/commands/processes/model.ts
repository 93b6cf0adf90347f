import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { systemClock } from '../../../platform/clock.ts'
import { observeReadiness } from '../../../platform/observability/health-server.ts'
import { createLogger, type Logger } from '../../../platform/observability/logger.ts'
import { identityOf, startTelemetry } from '../../../platform/observability/telemetry.ts'
import { pause } from '../../../platform/repeat.ts'
import { readSettings, type Settings } from '../../../platform/settings/settings.ts'
import type { Command } from '../../command.ts'

export const modelServerSettings = [
  'BROADSIDE_ENVIRONMENT',
  'LISTEN_HOST',
  'MODEL_PORT',
  'MODEL_STARTUP_SECONDS',
  'MODEL_DIR',
  'MODEL_THREADS',
  'LOG_LEVEL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_TRACES_SAMPLER_ARG',
] as const

type ModelServerSettings = Settings<(typeof modelServerSettings)[number]>

const model: Command = {
  usage: 'model',
  summary: 'Runs the local model, which scores posts.',
  details:
    'Serves an HTTP API like OpenAI’s moderation API on MODEL_PORT, and /healthz and /metrics. It needs no database and no network. Outside ' +
    'production it also acts as a judge through a chat completions API, and obeys the test words verdict-review, ' +
    'verdict-low-quality, verdict-reject-<category> and verdict-slow.',
  options: {
    'until-stdin-closes': {
      type: 'boolean',
      description: 'Exit when standard input closes, for example because the parent process ended.',
    },
  },
  run: async ({ environment, flags }) => {
    const settings = readSettings(environment, modelServerSettings)
    const logger = createLogger(settings.LOG_LEVEL, 'model', undefined, identityOf(settings.MODEL_PORT))
    const stop = stopSignal()
    // Low priority, because the model uses all CPU time: a post can wait a little, but API callers cannot.
    if (getPriority() < 10) setPriority(10)
    if (flags['until-stdin-closes']) process.stdin.on('close', stop.abort).on('error', stop.abort).resume()
    try {
      logger.info({ seconds: settings.MODEL_STARTUP_SECONDS }, 'starting')
      await pause(settings.MODEL_STARTUP_SECONDS * 1_000, stop.signal)
      if (!stop.signal.aborted) await serve(settings, logger, stop.signal)
    } finally {
      // An open standard input would keep the process alive.
      if (flags['until-stdin-closes']) process.stdin.destroy()
    }
    logger.info('stopped')
  },
}

function stopSignal() {
  const controller = new AbortController()
  const abort = () => controller.abort()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, abort)
  return { signal: controller.signal, abort }
}

async function serve(settings: ModelServerSettings, logger: Logger, stop: AbortSignal): Promise<void> {
  // Imported here because no other command needs the weights.
  const { buildModelServer } = await import('../../../../model/server/server.ts')
  const { openLocalModel } = await import('../../../../model/server/local/open-local-model.ts')
  const { MODEL_DIR: directory, MODEL_THREADS: threads } = settings
  const onFault = (error: Error) => logger.error({ error }, 'model thread failed')
  await using local = await openLocalModel({ ...(directory && { directory }), ...(threads && { threads }), onFault })
  await using telemetry = startTelemetry({
    process: 'model',
    instance: identityOf(settings.MODEL_PORT).instance,
    otlpEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
    sampleRatio: settings.OTEL_TRACES_SAMPLER_ARG,
  })
  using _ready = observeReadiness(async () => local.isWell?.() ?? true)
  const obeysTestWords = settings.BROADSIDE_ENVIRONMENT !== 'production'
  const app = buildModelServer({
    clock: systemClock,
    logger,
    local,
    obeysTestWords,
    metrics: telemetry.metricsHandler,
  })
  await app.listen({ host: settings.LISTEN_HOST, port: settings.MODEL_PORT })
  logger.info({ model: local.name, version: local.version }, 'ready')
  if (!stop.aborted) await once(stop, 'abort')
  await app.close()
}

export const commands: readonly Command[] = [model]
