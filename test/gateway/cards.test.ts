import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { openCards } from '../../src/bin/commands/processes/cards.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { newId } from '../../src/platform/identifiers.ts'
import { examplePublicPost } from '../../src/posts/public/public-post.ts'
import { CardFailed, type CardPainter, openCardPainter } from '../../src/publishing/cards/card-painter.ts'
import { postFile } from '../../src/publishing/site-files.ts'
import { exchangeFrom } from '../../tooling/network/raw-http.ts'
import { testLimits } from '../../tooling/services/nginx.ts'
import { quietPort, waitFor } from '../../tooling/services/state.ts'
import { times } from '../../tooling/test-length.ts'
import { serveFiles } from '../support/http/gateway.ts'

const kind = kinds[0] as Kind
const stack = new AsyncDisposableStack()
const painter = stack.use(openCardPainter({ directory: '/usr/share/fonts' }))
after(() => stack.disposeAsync())

/** A site with the process that draws its cards. `draw` is called before each drawing of a post. */
async function open(limits: Partial<typeof testLimits> = {}, draw: (text: string) => void = () => {}) {
  const cardsPort = await quietPort()
  const site = stack.use(
    await serveFiles(
      { 'index.html': 'the front page' },
      { cardsPort, limits: { ...testLimits, cardSeconds: 1, ...limits } },
    ),
  )
  const drawn: string[] = []
  const counting: CardPainter = {
    ...painter,
    draw: async (card) => {
      if (card.author !== '') drawn.push(card.text)
      if (card.author !== '') draw(card.text)
      return painter.draw(card)
    },
  }
  const settings = {
    ...{ BROADSIDE_ENVIRONMENT: 'test', LOG_LEVEL: 'silent', PAGES_DIRECTORY: site.folder },
    ...{ CARDS_PORT: String(cardsPort), CARDS_HEALTH_PORT: String(await quietPort()) },
  }
  const cards = stack.use(await openCards(settings, { stop: new AbortController().signal }, { painter: counting }))
  const write = (path: string, content: string | Buffer) => {
    const file = join(site.tree, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, content)
  }
  const publish = (id = newId('post', systemClock.now()), text = id) => {
    const example = examplePublicPost(kind)
    const post = { ...example, id, content: { ...example.content, text } }
    write(`${postFile(id, 'html')}.gz`, gzipSync('the page'))
    write(`${postFile(id, 'json')}.gz`, gzipSync(JSON.stringify(post)))
    return id
  }
  const remove = (id: string) => {
    write(postFile(id, 'gone'), '')
    for (const form of ['html', 'json']) rmSync(join(site.tree, `${postFile(id, form)}.gz`), { force: true })
  }
  const ask = (id: string, headers: Record<string, string> = {}, method = 'GET') =>
    site.ask(`/p/${id}.png`, headers, method)
  const askFrom = (address: string, path: string) =>
    exchangeFrom(
      address,
      site.port,
      `GET ${path} HTTP/1.1\r\nHost: localhost:${site.port}\r\nConnection: close\r\n\r\n`,
    )
  return { ...site, cards, drawn, publish, remove, ask, askFrom, get: site.ask }
}

let site: Awaited<ReturnType<typeof open>>
before(async () => {
  site = await open()
})

const absent = () => newId('post', systemClock.now())

test('a card is a picture that anybody may read and keep for a while, and a current one gets 304', async () => {
  const id = site.publish()
  const got = await site.ask(id)
  assert.deepEqual([got.status, got.headers.get('content-type')], [200, 'image/png'])
  assert.equal(got.body.slice(1, 4), 'PNG')
  assert.equal(got.headers.get('cache-control'), 'public, max-age=1')
  assert.equal(got.headers.get('access-control-allow-origin'), '*')
  assert.equal(got.headers.get('x-content-type-options'), 'nosniff')
  assert.match(String(got.headers.get('link')), new RegExp(`rel="license".*/p/${id}>; rel="canonical"`))
  const tag = String(got.headers.get('etag'))
  assert.match(tag, /^W\/"\w+"$/)
  const known = await site.ask(id, { 'if-none-match': tag })
  assert.deepEqual([known.status, known.body, known.headers.get('etag')], [304, '', tag])
  const head = await site.ask(id, {}, 'HEAD')
  assert.deepEqual([head.status, head.body, head.headers.get('etag')], [200, '', tag])
  assert.equal((await site.ask(id, { 'content-length': '0' }, 'POST')).status, 405)
  assert.equal((await site.ask(id, {}, 'OPTIONS')).status, 204)
  assert.equal((await site.get(`/p/${id}.png?again=1`)).body, got.body)
  assert.equal(site.drawn.filter((text) => text === id).length, 1)
})

test('1,000 requests at once for one card draw once', async () => {
  const id = site.publish()
  const got = await Promise.all(Array.from({ length: 1_000 }, () => site.ask(id)))
  assert.deepEqual([...new Set(got.map(({ status }) => status))], [200])
  assert.equal(new Set(got.map(({ body }) => body)).size, 1)
  assert.equal(site.drawn.filter((text) => text === id).length, 1)
})

test('when the cache has to ask again, a card is drawn only if the post has changed', async () => {
  const id = site.publish()
  const first = await site.ask(id)
  const other = absent()
  // The other card is in the cache for as long: once it is asked for again, so is the first.
  const askedAgain = async () => {
    site.publish(other, `${other} ${site.drawn.length}`)
    await site.ask(other)
    return site.drawn.filter((text) => text.startsWith(other)).length > 2
  }
  await waitFor(askedAgain, 'the cache to ask again')
  assert.equal((await site.ask(id)).body, first.body)
  assert.equal(site.drawn.filter((text) => text === id).length, 1)
  site.publish(id, `${id} edited`)
  await waitFor(async () => (await site.ask(id)).body !== first.body, 'the card of the edit')
  assert.equal(site.drawn.filter((text) => text === `${id} edited`).length, 1)
})

test('a removed post’s card is gone when its time in the cache is over', async () => {
  const id = site.publish()
  assert.equal((await site.ask(id)).status, 200)
  site.remove(id)
  await waitFor(async () => (await site.ask(id)).status === 410, 'the card to be gone')
  assert.equal(JSON.parse((await site.ask(id)).body).code, 'post_gone')
  const never = absent()
  const { status, body } = await site.ask(never)
  assert.deepEqual([status, JSON.parse(body).code], [404, 'post_not_found'])
})

test('requests for absent, removed and odd names draw nothing, and slow readers no more than those for absent pages', async () => {
  const gone = site.publish()
  site.remove(gone)
  const count = times({ whole: 10_000, short: 1_500 })
  const names = () => [absent(), gone, `${absent()}x`, `../${absent()}`]
  const flood = async (form: string) => {
    const paths = Array.from({ length: count / 4 }, names).flat()
    for (let at = 0; at < paths.length; at += 50)
      await Promise.all(paths.slice(at, at + 50).map((name) => site.get(`/p/${name}${form}`)))
  }
  const readDuring = async (form: string) => {
    let isOver = false
    const flooding = flood(form).finally(() => {
      isOver = true
    })
    const waits: number[] = []
    while (!isOver) {
      const startedAt = performance.now()
      assert.equal((await site.get('/')).status, 200)
      waits.push(performance.now() - startedAt)
    }
    await flooding
    return waits.toSorted((one, other) => one - other)[waits.length >> 1] ?? 0
  }
  const before = site.drawn.length
  const [pages, cards] = [await readDuring(''), await readDuring('.png')]
  assert.ok(cards < 4 * pages, `a reader waits ${cards} ms beside them, and ${pages} ms beside absent pages`)
  assert.equal(site.drawn.length, before)
})

test('only names of the form of an id reach the process', async () => {
  const asked: string[] = []
  const server = createServer(({ url }, response) => {
    asked.push(String(url))
    response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  stack.defer(() => void server.close())
  const odd = await serveFiles({}, { cardsPort: (server.address() as AddressInfo).port })
  stack.use(odd)
  const id = absent()
  const names = [
    ...[`${id}x`, id.slice(0, -1), id.toUpperCase(), id.replace('post_', 'acct_'), `${id.slice(0, -1)}u`, `x${id}`],
    ...[`../x`, `..%2f${id}`, `${id}%00`, `${id}/x`, '', 'post_', 'x'.repeat(8_000), `${id}.png`, '%ff', '*'],
  ]
  for (const name of names) {
    const { status } = await odd.ask(`/p/${name}.png`)
    // nginx resolves some of them to the address of another page.
    assert.ok([400, 404, 414].includes(status), `${name.slice(0, 60)}: ${status}`)
  }
  assert.deepEqual(asked, [])
  await odd.ask(`/p//./${id}.png?x=1`)
  assert.deepEqual(asked, [`/messages/${id}`])
})

test('what is drawn is limited for each address and for all; what the cache has is not', async () => {
  const limited = await open({ cards: { perMinute: 1, burst: 4 }, cardsTogether: { perSecond: 1, burst: 12 } })
  const [attacker, reader] = ['127.0.0.2', '127.0.0.3']
  const known = limited.publish()
  const paths = (count: number) => Array.from({ length: count }, () => `/p/${absent()}.png`)
  const statusesOf = async (address: string, asked: readonly string[]) => {
    const got: number[] = []
    for (const path of asked) got.push((await limited.askFrom(address, path)).status)
    return got
  }
  assert.deepEqual(await statusesOf(attacker, [`/p/${known}.png`, ...paths(6)]), [200, 404, 404, 404, 404, 429, 429])
  const refused = await limited.askFrom(attacker, `/p/${absent()}.png`)
  assert.deepEqual([refused.headers.get('retry-after'), JSON.parse(refused.body).code], ['1', 'platform_busy'])
  const fresh = limited.publish()
  assert.deepEqual(await statusesOf(reader, [`/p/${fresh}.png`, '/']), [200, 200])
  assert.deepEqual(await statusesOf(attacker, Array(20).fill(`/p/${known}.png`)), Array(20).fill(200))
  const others = (await Promise.all([4, 5, 6, 7].map((last) => statusesOf(`127.0.0.${last}`, paths(4))))).flat()
  assert.ok(others.includes(429), 'all addresses together')
})

test('a card that cannot be drawn is the plain one of its kind, and is tried again later', async () => {
  let isBroken = true
  const broken = await open({}, () => {
    if (isBroken) throw new CardFailed('timeout')
  })
  const [id, other] = [broken.publish(), broken.publish()]
  const plain = await broken.ask(id)
  assert.deepEqual([plain.status, plain.headers.get('content-type')], [200, 'image/png'])
  assert.deepEqual([(await broken.ask(other)).body, plain.headers.get('etag')], [plain.body, null])
  isBroken = false
  await waitFor(async () => (await broken.ask(id)).body !== plain.body, 'the card itself')
})

test('a busy process and one that is away answer 503 with a time, and pages stay', async () => {
  const busy = await open({}, () => {
    throw new CardFailed('busy')
  })
  const id = busy.publish()
  const assertAway = async () => {
    const { status, headers, body } = await busy.ask(id)
    assert.deepEqual([status, headers.get('retry-after'), JSON.parse(body).code], [503, '5', 'unavailable'])
    assert.equal((await busy.get(`/p/${id}`)).status, 200)
  }
  await assertAway()
  await busy.cards[Symbol.asyncDispose]()
  await assertAway()
})
