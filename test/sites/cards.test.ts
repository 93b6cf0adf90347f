import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { kinds } from '../../src/kinds/index.ts'
import { removePost } from '../../src/moderation/decisions/decide-by-person.ts'
import { type CardPainter, openCardPainter } from '../../src/publishing/cards/card-painter.ts'
import type { PostCard } from '../../src/publishing/cards/post-card.ts'
import { type Service, type ServiceOptions, startService } from '../../tooling/environment/service.ts'
import { testLimits } from '../../tooling/services/nginx.ts'
import { newBucketSettings, startObjectStore } from '../../tooling/services/object-store.ts'
import { waitFor } from '../../tooling/services/state.ts'
import { filesBelow } from '../support/pages/compare-trees.ts'

const painter = openCardPainter({ directory: '/usr/share/fonts' })
/** The cards of posts, as they are drawn. */
const drawn: PostCard[] = []
const cards: CardPainter = {
  ...painter,
  draw: (card) => {
    if (card.author !== '') drawn.push(card)
    return painter.draw(card)
  },
}

const start = (options: ServiceOptions = {}) =>
  startService({ judges: true, cards, gatewayLimits: { ...testLimits, cardSeconds: 1 }, ...options })

let service: Service
let apiKey: string
before(async () => {
  service = await start()
  apiKey = (await service.createCustomer(1_000_000_000)).api_key
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await painter[Symbol.asyncDispose]()
})

async function publish(body: object, { at = service, key = apiKey, kind = 'message' } = {}): Promise<string> {
  const { body: record } = await at.client(key, kind).submitPost(body as never)
  assert.ok('id' in record)
  await at.settle()
  return record.id
}

async function remove(postId: string, at = service): Promise<void> {
  const by = { postId, actor: 'operator:test', at: at.clock.now() }
  assert.ok(await at.asOperator((tx, sites) => removePost(tx, sites, { ...by, category: 'spam' })))
  await at.settle()
}

async function readCard(id: string, { at = service, kind = 'message' } = {}) {
  const response = await fetch(`${at.baseUrls[kind]}/p/${id}.png`, { headers: { accept: 'image/*' } })
  return { status: response.status, type: response.headers.get('content-type'), bytes: await response.bytes() }
}

test('the first request for the card of a post draws it, on every site; publishing and pages draw none', async () => {
  for (const { name, examples } of kinds) {
    drawn.length = 0
    const id = await publish(examples[0] as object, { kind: name })
    const page = await (await fetch(`${service.baseUrls[name]}/p/${id}`)).text()
    assert.ok(page.includes(`<meta property="og:image" content="${service.baseUrls[name]}/p/${id}.png">`))
    assert.equal(drawn.length, 0)
    const { status, type, bytes } = await readCard(id, { kind: name })
    assert.deepEqual([status, type], [200, 'image/png'])
    const [width, height] = [16, 20].map((at) => Buffer.from(bytes).readUInt32BE(at))
    assert.deepEqual([width, height], [1_200, 630])
    assert.deepEqual((await readCard(id, { kind: name })).bytes, bytes)
    assert.equal(drawn.length, 1)
  }
  const files = [...(await filesBelow(service.pagesDirectory))]
  assert.ok(files.length > 0)
  assert.deepEqual(
    files.filter((path) => path.includes('/p/') && path.endsWith('.png')),
    [],
  )
})

test('a card shows the public text: an edit replaces it, and a post without one has none', async () => {
  const text = 'The drawbridge at the north lock is closed to road traffic on Tuesday.'
  const id = await publish({ text: 'The drawbridge at the north lock stays open to road traffic all of Tuesday.' })
  const first = await readCard(id)
  await service.client(apiKey).editPost(id, { text } as never)
  await service.settle()
  await waitFor(async () => !Buffer.from((await readCard(id)).bytes).equals(first.bytes), 'the card of the edit')
  assert.equal(drawn.at(-1)?.text, text)
  const { body } = await service.client(apiKey).submitPost({ text: 'verdict-review in the old town' } as never)
  assert.ok('id' in body)
  await service.settle()
  assert.equal((await readCard(body.id)).status, 404)
  assert.equal((await readCard(id, { kind: 'story' })).status, 404, 'on another site')
})

/** In a directory, and in a bucket. */
async function assertRemoved(at: Service, key: string): Promise<void> {
  const where = { at, key }
  const id = await publish({ text: 'The old crane on the east quay is for hire by the hour, with its driver.' }, where)
  assert.equal((await readCard(id, where)).status, 200)
  await remove(id, at)
  await waitFor(async () => (await readCard(id, where)).status === 410, 'the card to be gone')
  const asked = drawn.length
  const other = await publish({ text: 'Two berths for barges are free below the grain silo until April.' }, where)
  await remove(other, at)
  await waitFor(async () => (await readCard(other, where)).status === 410, 'a card that nobody has asked for')
  assert.equal(drawn.length, asked)
}

test('a removed post’s card is gone', () => assertRemoved(service, apiKey))

test('cards are drawn from a bucket too, and are gone with the post', async () => {
  await using inBucket = await start({ settings: await newBucketSettings(await startObjectStore()) })
  const { api_key: key } = await inBucket.createCustomer(1_000_000_000)
  await assertRemoved(inBucket, key)
})

test('without fonts a post has the plain card of its kind', async () => {
  await using bare = openCardPainter({ directory: '/nowhere' })
  await using without = await start({ cards: bare })
  const { api_key: key } = await without.createCustomer(1_000_000_000)
  const where = { at: without, key }
  const ids = [
    await publish({ text: 'A seal has been seen on the slipway every morning of this week, at low water.' }, where),
    await publish({ text: 'The lamp of the outer light is being changed and will be dark for one night.' }, where),
  ]
  const [one, other] = await Promise.all(ids.map((id) => readCard(id, where)))
  assert.deepEqual([one?.status, one?.bytes], [200, other?.bytes])
  assert.ok(without.logLines.some((line) => line.includes('"reason":"fonts"') && line.includes(String(ids[0]))))
})
