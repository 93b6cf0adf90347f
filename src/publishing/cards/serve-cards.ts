import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Kind, kinds } from '../../kinds/index.ts'
import { openCounter, openHistogram } from '../../platform/observability/instruments.ts'
import type { Logger } from '../../platform/observability/logger.ts'
import type { Pages } from '../../platform/page-store/open-pages.ts'
import { postFile } from '../site-files.ts'
import { CardFailed, type CardPainter } from './card-painter.ts'
import { cardOf, fingerprintOf, type PostCard, plainCard } from './post-card.ts'

type Options = {
  host: string
  port: number
  pages: Pages
  painter: CardPainter
  logger: Logger
}

const [first] = kinds
assert(first)
const sample: PostCard = { ...plainCard(first), text: 'Ferries 渡轮 عبّارات ⛴', author: 'broadside doctor' }

type Answer = { status: 200; png: Buffer; tag?: string } | { status: 304; tag: string } | { status: 404 | 503 }

/**
 * Serves `/{site}/{post id}` to the gateway, which keeps the answers: the card of a published post, drawn from its public
 * JSON, or the plain card of its kind if drawing fails. `/check` draws an example for `broadside doctor`.
 */
export async function serveCards({ host, port, pages, painter, logger }: Options) {
  const { draw, plain } = await openDrawing(painter)
  const failures = openCounter('cards.failures')
  // An alert on the first failure needs a value before it.
  for (const reason of ['busy', 'fonts', 'timeout', 'exit']) failures.add(0, { reason })
  const readers = new Map(kinds.map((kind) => [kind, pages.siteReader(kind.site.slug)]))

  async function answerCard(kind: Kind, postId: string, knownTag: string | undefined): Promise<Answer> {
    const json = await readers.get(kind)?.read(postFile(postId, 'json'))
    if (!json) return { status: 404 }
    try {
      const card = cardOf(kind, JSON.parse(json.toString()))
      const tag = `"${fingerprintOf(card)}"`
      return knownTag === tag ? { status: 304, tag } : { status: 200, png: await draw(card), tag }
    } catch (error) {
      const reason = error instanceof CardFailed ? error.reason : (error as Error).name
      failures.add(1, { reason })
      if (reason === 'busy') return { status: 503 }
      logger.warn({ post_id: postId, reason }, 'a card could not be drawn, so the plain one is shown')
      // Without a tag, so that the gateway's next request draws again.
      return { status: 200, png: plain.get(kind) as Buffer }
    }
  }

  async function answer({ url = '', headers }: IncomingMessage): Promise<Answer> {
    if (url === '/check') return { status: 200, png: await draw(sample) }
    const [, slug, postId = ''] = /^\/([a-z]+)\/(post_[0-9a-z]{26})$/.exec(url) ?? []
    const kind = kinds.find(({ site }) => site.slug === slug)
    return kind ? answerCard(kind, postId, headers['if-none-match']) : { status: 404 }
  }

  const server = createServer(async (request, response) => {
    try {
      send(response, await answer(request))
    } catch (error) {
      // The page store, or an example that cannot be drawn.
      const reason = error instanceof CardFailed ? error.reason : (error as Error).name
      failures.add(1, { reason })
      logger.error({ reason }, 'a card could not be answered')
      response.writeHead(503, { ...head, 'content-type': 'text/plain', 'retry-after': '5' }).end(reason)
    }
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as { port: number }).port,
    [Symbol.asyncDispose]: async () => {
      server.close()
      await once(server, 'close')
    },
  }
}

/** The plain cards are drawn at once: they are needed when nothing else can be drawn. */
async function openDrawing(painter: CardPainter) {
  const seconds = openHistogram('cards.seconds')
  const plain = new Map<Kind, Buffer>()
  for (const kind of kinds) plain.set(kind, await painter.draw(plainCard(kind)))
  const now = new Map<string, Promise<Buffer>>()
  /** Several gateways, or readers of a card that has just changed, may ask for the same one. */
  const draw = (card: PostCard): Promise<Buffer> => {
    if (painter.missing.length > 0) throw new CardFailed('fonts')
    const print = fingerprintOf(card)
    const startedAt = performance.now()
    const drawn =
      now.get(print) ??
      painter.draw(card).finally(() => {
        now.delete(print)
        seconds.record((performance.now() - startedAt) / 1_000)
      })
    now.set(print, drawn)
    return drawn
  }
  return { draw, plain }
}

/** Only the gateway asks, and only for what its cache lacks. */
const head = { connection: 'close' }

function send(response: ServerResponse, answer: Answer): void {
  const tag = 'tag' in answer && answer.tag !== undefined ? { etag: answer.tag } : {}
  const type = answer.status === 200 ? { 'content-type': 'image/png', 'content-length': answer.png.length } : {}
  const later = answer.status === 503 ? { 'retry-after': '5' } : {}
  response.writeHead(answer.status, { ...head, ...tag, ...type, ...later })
  response.end(answer.status === 200 ? answer.png : '')
}
