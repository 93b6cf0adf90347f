import type { Logger } from '../../src/platform/observability/logger.ts'
import { openPages, type PagesPlace } from '../../src/platform/page-store/open-pages.ts'
import type { CardPainter } from '../../src/publishing/cards/card-painter.ts'
import { serveCards } from '../../src/publishing/cards/serve-cards.ts'

/** Serves cards to the gateway on a free port, which it returns. */
export async function startCards(
  stack: AsyncDisposableStack,
  { pages, ...parts }: { painter: CardPainter; pages: PagesPlace; logger: Logger },
): Promise<number> {
  const opened = stack.use(openPages(pages))
  return stack.use(await serveCards({ host: '127.0.0.1', port: 0, pages: opened, ...parts })).port
}
