import { getPriority, setPriority } from 'node:os'
import type { LocalModel } from '../../../../model/server/local/local-model.ts'
import { systemClock } from '../../../platform/clock.ts'
import { observeReadiness } from '../../../platform/observability/health-server.ts'
import type { Logger } from '../../../platform/observability/logger.ts'
import { pause } from '../../../platform/repeat.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import type { Command } from '../../command.ts'
import { listen, openProcess, runProcess, type Surroundings } from '../../run-process.ts'

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

type Options = { local?: LocalModel; slowMs?: number }

export function openModel(environment: NodeJS.ProcessEnv, surroundings: Surroundings, options: Options = {}) {
  const settings = readSettings(environment, modelServerSettings)
  const { stop, clock = systemClock } = surroundings
  const { LISTEN_HOST: host, MODEL_PORT: port, MODEL_DIR: directory, MODEL_THREADS: threads } = settings
  const openLocal = async (logger: Logger) => {
    const { openLocalModel } = await import('../../../../model/server/local/open-local-model.ts')
    const onFault = (error: Error) => logger.error({ error }, 'model thread failed')
    return await openLocalModel({ ...(directory && { directory }), ...(threads && { threads }), onFault })
  }
  const definition = { name: 'model', settings, healthPort: port, servesHealthItself: true }
  return openProcess(definition, surroundings, async ({ logger, telemetry, stack }) => {
    logger.info({ seconds: settings.MODEL_STARTUP_SECONDS }, 'starting')
    await pause(settings.MODEL_STARTUP_SECONDS * 1_000, stop)
    stop.throwIfAborted()
    // Imported here because no other command needs the weights.
    const { buildModelServer } = await import('../../../../model/server/server.ts')
    const local = options.local ?? stack.use(await openLocal(logger))
    stack.use(observeReadiness(async () => local.isWell?.() ?? true))
    const obeysTestWords = settings.BROADSIDE_ENVIRONMENT !== 'production'
    const { slowMs } = options
    const metrics = telemetry.metricsHandler
    const app = buildModelServer({ clock, logger, local, obeysTestWords, metrics, ...(slowMs && { slowMs }) })
    logger.info({ model: local.name, version: local.version }, 'model loaded')
    return listen(stack, app, { host, port })
  })
}

export const commands: readonly Command[] = [
  {
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
      // Low priority, because the model uses all CPU time: a post can wait a little, but API callers cannot.
      if (getPriority() < 10) setPriority(10)
      const closed = new AbortController()
      const abort = () => closed.abort()
      if (flags['until-stdin-closes']) process.stdin.on('close', abort).on('error', abort).resume()
      await runProcess((surroundings) => openModel(environment, surroundings), closed.signal).finally(() => {
        // An open standard input would keep the process alive.
        if (flags['until-stdin-closes']) process.stdin.destroy()
      })
    },
  },
]
