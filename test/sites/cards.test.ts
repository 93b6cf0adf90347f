import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sitesFromSettings } from '../../src/bin/sites.ts'
import { type Kind, kinds } from '../../src/kinds/index.ts'
import type { PublicPost } from '../../src/kinds/presentation/presentation.ts'
import { removePost } from '../../src/moderation/decisions/decide-by-person.ts'
import { openPages } from '../../src/platform/page-store/open-pages.ts'
import { CardFailed, type CardPainter, openCardPainter } from '../../src/publishing/cards/card-painter.ts'
import { fingerprintIn } from '../../src/publishing/cards/png.ts'
import { cardOf, keptCard } from '../../src/publishing/cards/post-card.ts'
import { drawCard } from '../../src/publishing/jobs/draw-card.ts'
import { publishPost } from '../../src/publishing/jobs/publish-post.ts'
import { repairPages } from '../../src/publishing/jobs/repair-pages.ts'
import { postView, selectPostPages } from '../../src/publishing/listings/read-posts.ts'
import { openPublishing, type PageWork, type PublishedSite } from '../../src/publishing/publishing.ts'
import { rebuildSite } from '../../src/publishing/rebuild/rebuild-site.ts'
import { cardFile } from '../../src/publishing/site-files.ts'
import { type Service, startService } from '../../tooling/environment/service.ts'

const kind = kinds.find(({ name }) => name === 'message') as Kind
const painter = openCardPainter({ directory: '/usr/share/fonts' })
let service: Service
let author: Awaited<ReturnType<Service['createCustomer']>>
before(async () => {
  service = await startService({ judges: true, cards: painter })
  author = await service.createCustomer(1_000_000_000)
})
after(async () => {
  await service[Symbol.asyncDispose]()
  await painter[Symbol.asyncDispose]()
})

async function publish(body: object, kindName = 'message'): Promise<string> {
  const { body: record } = await service.client(author.api_key, kindName).submitPost(body as never)
  assert.ok('id' in record)
  await service.settle()
  return record.id
}

async function remove(postId: string): Promise<void> {
  const by = { postId, actor: 'operator:test', at: service.clock.now() }
  assert.ok(await service.asOperator((tx, sites) => removePost(tx, sites, { ...by, category: 'spam' })))
  await service.settle()
}

async function readCard(id: string, kindName = 'message') {
  const response = await fetch(`${service.baseUrls[kindName]}/p/${id}.png`, { headers: { accept: 'image/*' } })
  const bytes = Buffer.from(await response.arrayBuffer())
  return { status: response.status, headers: response.headers, bytes, print: fingerprintIn(bytes) }
}

test('every published post has a card at its address', async () => {
  for (const { name, examples } of kinds) {
    const id = await publish(examples[0], name)
    const { status, headers, bytes } = await readCard(id, name)
    assert.deepEqual([status, headers.get('content-type')], [200, 'image/png'])
    assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [1_200, 630])
    assert.equal(headers.get('content-encoding'), null)
  }
})

test('an edit replaces the card, and the old one is gone as soon as the old text', async () => {
  const id = await publish({ text: 'The drawbridge at the north lock stays open to road traffic all of Tuesday.' })
  const before = await readCard(id)
  await service
    .client(author.api_key)
    .editPost(id, { text: 'The drawbridge at the north lock is closed to road traffic on Tuesday.' } as never)
  await service.settle()
  const edited = await readCard(id)
  assert.equal(edited.status, 200)
  assert.notEqual(edited.print, before.print)
  // As if the process died between the page and the card.
  const site = await openSite()
  await site.store.apply(new Map([[cardFile(id), before.bytes]]))
  const row = await selectPostPages(service.workerDb).where('posts.id', '=', id).executeTakeFirstOrThrow()
  const post = postView(site.view, row)?.post as PublicPost
  assert.equal(
    await keptCard(cardOf(site.view, post), cardFile(id), site.store),
    null,
    'the old card is removed with the page',
  )
  await publishPost(await openTest(), { post_id: id })
  await service.settle()
  assert.deepEqual((await readCard(id)).bytes, edited.bytes)
})

test('a withdrawn post has no card, and a restored job does not bring it back', async () => {
  const id = await publish({ text: 'The old crane on the east quay is for hire by the hour, with its driver.' })
  assert.equal((await readCard(id)).status, 200)
  await remove(id)
  assert.equal((await readCard(id)).status, 410)
  await drawCard({ ...(await openTest()), cards: painter }, { post_id: id })
  assert.equal((await readCard(id)).status, 410)
  assert.equal(await (await openSite()).store.has(cardFile(id)), false)
})

test('a post that is withdrawn while its card is drawn gets none', async () => {
  const id = await publish({ text: 'Two berths for barges are free below the grain silo until the end of April.' })
  const site = await openSite()
  await site.store.apply(new Map([[cardFile(id), null]]))
  const slow: CardPainter = {
    ...painter,
    draw: async (card) => {
      const png = await painter.draw(card)
      await remove(id)
      return png
    },
  }
  await drawCard({ ...(await openTest()), cards: slow }, { post_id: id })
  assert.equal(await site.store.has(cardFile(id)), false)
  assert.equal((await readCard(id)).status, 410)
})

test('a post whose card fails is published without it, counted, and drawn by a later sweep', async () => {
  const id = await publish({ text: 'The lamp of the outer light is being changed and will be dark for one night.' })
  const site = await openSite()
  const drawn = await readCard(id)
  await site.store.apply(new Map([[cardFile(id), null]]))
  const done: PageWork[] = []
  const failing: CardPainter = { ...painter, draw: () => Promise.reject(new CardFailed('timeout')) }
  const publishing = { ...(await openTest()), observe: (work: PageWork) => void done.push(work) }
  await drawCard({ ...publishing, cards: failing }, { post_id: id })
  assert.equal(done[0]?.failure, 'timeout')
  assert.equal((await readCard(id)).status, 404)
  assert.equal((await fetch(`${service.baseUrl}/p/${id}`)).status, 200)
  service.clock.setOffset(60_000)
  assert.deepEqual((await repairPages({ ...publishing, cards: painter })).cards, 1)
  await service.settle()
  assert.deepEqual((await readCard(id)).bytes, drawn.bytes)
  assert.equal((await repairPages({ ...publishing, cards: painter })).cards, 0)
})

test('a rebuild without the old cards draws the same bytes', async () => {
  const id = await publish({ text: 'الميناء القديم: 港の新しい時刻表 is out, with 🚢 for every ferry.' })
  const drawn = await readCard(id)
  assert.equal(drawn.status, 200)
  const { store, view } = await openSite()
  await store.apply(new Map([[cardFile(id), null]]))
  assert.equal((await readCard(id)).status, 404)
  await rebuildSite({
    ...{ db: service.workerDb, clock: service.clock, databaseUrl: service.database.urls.worker },
    ...{ site: view, pages: service.pages, threads: 1, documents: new Map(), onProgress: () => {} },
    fontsDirectory: '/usr/share/fonts',
  })
  assert.deepEqual((await readCard(id)).bytes, drawn.bytes)
})

test('without fonts no card is drawn or missed', async () => {
  const id = await publish({ text: 'A seal has been seen on the slipway every morning of this week, at low water.' })
  const site = await openSite()
  await site.store.apply(new Map([[cardFile(id), null]]))
  const cards = openCardPainter({ directory: '/nowhere' })
  const publishing = { ...(await openTest()), cards }
  await drawCard(publishing, { post_id: id })
  assert.equal((await readCard(id)).status, 404)
  service.clock.setOffset(120_000)
  assert.equal((await repairPages(publishing)).cards, 0)
})

const openTest = () =>
  openPublishing({
    ...{ db: service.workerDb, clock: service.clock, pages: openPages(service.pages) },
    ...{ delays: { lists: 0, others: 0 }, sites: sitesFromSettings(service.baseUrls) },
  })

const openSite = async () => (await openTest()).sites.get(kind.name) as PublishedSite
