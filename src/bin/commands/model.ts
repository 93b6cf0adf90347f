import { once } from 'node:events'
import { setTimeout as wait } from 'node:timers/promises'
import { systemClock } from '../../platform/clock.ts'
import { createLogger, type Logger } from '../../platform/logger.ts'
import { readSettings, type Settings } from '../../platform/settings.ts'
import type { Command } from '../command.ts'

export const modelServerSettings = [
  'BROADSIDE_ENVIRONMENT',
  'LISTEN_HOST',
  'MODEL_PORT',
  'MODEL_STARTUP_SECONDS',
  'LOG_LEVEL',
] as const

type ModelServerSettings = Settings<(typeof modelServerSettings)[number]>

const model: Command = {
  usage: 'model',
  summary: 'Runs the simple model that ships with the service, to judge posts.',
  details:
    'Listens on MODEL_PORT with the HTTP of OpenAI’s moderations and chat completions. It needs no database. Outside ' +
    'production it obeys the words verdict-review, verdict-low-quality, verdict-reject-<category> and verdict-slow.',
  options: {
    'until-stdin-closes': { type: 'boolean', description: 'End when standard input closes: with whoever started it.' },
  },
  run: async ({ environment, flags }) => {
    const settings = readSettings(environment, modelServerSettings)
    const logger = createLogger(settings.LOG_LEVEL, 'model')
    const stop = stopSignal()
    if (flags['until-stdin-closes']) process.stdin.on('close', stop.abort).on('error', stop.abort).resume()
    try {
      logger.info({ seconds: settings.MODEL_STARTUP_SECONDS }, 'starting')
      await wait(settings.MODEL_STARTUP_SECONDS * 1_000, undefined, { signal: stop.signal }).catch(() => {})
      if (!stop.signal.aborted) await serve(settings, logger, stop.signal)
    } finally {
      // Read from, it would keep the process alive.
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
  // Loaded here, as it makes its lists ready while it is: a tenth of a second that no other command should wait.
  const { buildModelServer } = await import('../../model-server/server.ts')
  const { modelName, modelVersion } = await import('../../model-server/version.ts')
  const obeysTestWords = settings.BROADSIDE_ENVIRONMENT !== 'production'
  const app = buildModelServer({ clock: systemClock, logger, obeysTestWords })
  await app.listen({ host: settings.LISTEN_HOST, port: settings.MODEL_PORT })
  logger.info({ model: modelName, version: modelVersion }, 'ready')
  if (!stop.aborted) await once(stop, 'abort')
  await app.close()
}

export const commands: readonly Command[] = [model]
