import { once } from 'node:events'
import { getPriority, setPriority } from 'node:os'
import { startHealthServer } from '../../../platform/observability/health-server.ts'
import { createLogger } from '../../../platform/observability/logger.ts'
import { identityOf, startTelemetry } from '../../../platform/observability/telemetry.ts'
import { openPages } from '../../../platform/page-store/open-pages.ts'
import { pagesPlaceFrom, pagesSettings } from '../../../platform/page-store/pages-settings.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { openCardPainter } from '../../../publishing/cards/card-painter.ts'
import { serveCards } from '../../../publishing/cards/serve-cards.ts'
import type { Command } from '../../command.ts'

export const cardsSettings = [
  'LISTEN_HOST',
  'CARDS_PORT',
  'CARDS_HEALTH_PORT',
  'FONTS_DIRECTORY',
  'LOG_LEVEL',
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_TRACES_SAMPLER_ARG',
  ...pagesSettings,
] as const

const cards: Command = {
  usage: 'cards',
  summary: 'Draws the cards of posts, the pictures in link previews, when the gateway asks for them.',
  details:
    'Listens on CARDS_PORT for the gateway, and on CARDS_HEALTH_PORT for /healthz, /readyz and /metrics. It only reads the ' +
    'page store, and needs no database.',
  run: async ({ environment }) => {
    const settings = readSettings(environment, cardsSettings)
    const stop = new AbortController()
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => stop.abort())
    // Low priority, also for the child that draws: a picture can wait, but callers and pages cannot.
    if (getPriority() < 10) setPriority(10)
    const { LISTEN_HOST: host, CARDS_HEALTH_PORT: healthPort } = settings
    const identity = identityOf(healthPort)
    const logger = createLogger(settings.LOG_LEVEL, 'cards', undefined, identity)
    await using telemetry = startTelemetry({
      process: 'cards',
      instance: identity.instance,
      otlpEndpoint: settings.OTEL_EXPORTER_OTLP_ENDPOINT,
      sampleRatio: settings.OTEL_TRACES_SAMPLER_ARG,
    })
    let waitsFor: string | null = 'the process is starting'
    const notReadyBecause = async () => (stop.signal.aborted ? 'the process is stopping' : waitsFor)
    await using _health = await startHealthServer({ host, port: healthPort, telemetry, notReadyBecause })
    await using pages = openPages(pagesPlaceFrom(settings))
    await using painter = openCardPainter({ directory: settings.FONTS_DIRECTORY })
    if (painter.missing.length > 0)
      logger.warn({ missing: painter.missing }, 'fonts are missing, so all cards are plain: run broadside doctor')
    await using _server = await serveCards({ host, port: settings.CARDS_PORT, pages, painter, logger })
    waitsFor = null
    logger.info('ready')
    if (!stop.signal.aborted) await once(stop.signal, 'abort')
    logger.info('stopping')
  },
}

export const commands: readonly Command[] = [cards]
