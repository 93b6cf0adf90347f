import { getPriority, setPriority } from 'node:os'
import { openPages } from '../../../platform/page-store/open-pages.ts'
import { pagesPlaceFrom, pagesSettings } from '../../../platform/page-store/pages-settings.ts'
import { readSettings } from '../../../platform/settings/settings.ts'
import { type CardPainter, openCardPainter } from '../../../publishing/cards/card-painter.ts'
import { serveCards } from '../../../publishing/cards/serve-cards.ts'
import type { Command } from '../../command.ts'
import { openProcess, runProcess, type Surroundings } from '../../run-process.ts'

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

export function openCards(
  environment: NodeJS.ProcessEnv,
  surroundings: Surroundings,
  options: { painter?: CardPainter } = {},
) {
  const settings = readSettings(environment, cardsSettings)
  const definition = { name: 'cards', settings, healthPort: settings.CARDS_HEALTH_PORT }
  return openProcess(definition, surroundings, async ({ logger, stack, readyUnless }) => {
    const pages = stack.use(openPages(pagesPlaceFrom(settings)))
    const painter = options.painter ?? stack.use(openCardPainter({ directory: settings.FONTS_DIRECTORY }))
    if (painter.missing.length > 0)
      logger.warn({ missing: painter.missing }, 'fonts are missing, so all cards are plain: run broadside doctor')
    const { LISTEN_HOST: host, CARDS_PORT: port } = settings
    stack.use(await serveCards({ host, port, pages, painter, logger }))
    readyUnless(async () => null)
    return {}
  })
}

export const commands: readonly Command[] = [
  {
    usage: 'cards',
    summary: 'Draws the cards of posts, the pictures in link previews, when the gateway asks for them.',
    details:
      'Listens on CARDS_PORT for the gateway, and on CARDS_HEALTH_PORT for /healthz, /readyz and /metrics. It only reads the ' +
      'page store, and needs no database.',
    run: async ({ environment }) => {
      // Low priority, also for the child that draws: a picture can wait, but callers and pages cannot.
      if (getPriority() < 10) setPriority(10)
      await runProcess((surroundings) => openCards(environment, surroundings))
    },
  },
]
