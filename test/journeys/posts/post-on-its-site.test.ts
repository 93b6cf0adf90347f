import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { sitesFromSettings } from '../../../src/bin/sites.ts'
import { type Kind, kinds } from '../../../src/kinds/index.ts'
import { upholdAppeal } from '../../../src/moderation/appeals/settle-appeal.ts'
import { removePost } from '../../../src/moderation/decisions/decide-by-person.ts'
import { expirePosts } from '../../../src/posts/expiry.ts'
import { purgeWithdrawals } from '../../../src/publishing/jobs/purge-withdrawals.ts'
import { rebuildSite } from '../../../src/publishing/rebuild/rebuild-site.ts'
import { siteViews } from '../../../src/publishing/views.ts'
import { type Service, startService } from '../../../tooling/environment/service.ts'

const kindNamed = (name: string) => kinds.find((kind) => kind.name === name) as Kind
const day = 86_400_000

let service: Service
let apiKey: string
before(async () => {
  service = await startService({ judges: true })
  apiKey = (await service.createCustomer(1_000_000_000)).api_key
})
after(() => service[Symbol.asyncDispose]())

/** Publishes a body through the API and returns the id. */
async function publish(kind: string, body: object): Promise<string> {
  const { body: record } = await service.client(apiKey, kind).submitPost(body as never)
  assert.ok('id' in record)
  await service.settle()
  return record.id
}

async function read(kind: string, path: string, accept = '*/*') {
  const response = await fetch(`${service.baseUrls[kind]}${path}`, { headers: { accept } })
  return { status: response.status, type: response.headers.get('content-type') ?? '', text: await response.text() }
}

const at = (days: number) => new Date(service.clock.now().getTime() + days * day)
const message = (topic: string) => ({
  text: `The water at the ${topic} gauge stands at 112 cm and falls slowly, says the keeper of the lock.`,
  topics: [topic],
  location: { country: 'PT', state: 'PT-11', city: { geonames_id: 2267057, name: 'Lisbon' } },
})
const lists = (topic: string) => ['', `topics/${topic}/`, 'places/pt/', 'places/pt/pt-11/', 'places/pt/pt-11/2267057/']

test('a published post has a page, JSON and Markdown, and is in all its lists and feeds', async () => {
  const id = await publish('message', message('tides'))
  const page = await read('message', `/p/${id}`, 'text/html')
  assert.equal(page.status, 200)
  assert.match(page.type, /^text\/html/)
  assert.match(page.text, /data-content-trust="untrusted-user-content"/)
  assert.match(page.text, /The water at the tides gauge/)
  const json = await read('message', `/p/${id}`, 'application/json')
  const { body: fromApi } = await service.client().getPost(id)
  assert.deepEqual(JSON.parse(json.text), fromApi, 'the file and the API show one post')
  assert.equal((await read('message', `/p/${id}.json`)).text, json.text)
  assert.match((await read('message', `/p/${id}`, 'text/markdown')).text, /The water at the tides gauge/)
  for (const list of lists('tides'))
    for (const file of ['', 'index.json', 'feed.xml'])
      assert.match((await read('message', `/${list}${file}`)).text, new RegExp(id), `/${list}${file}`)
  const month = service.clock.now().toISOString().slice(0, 7)
  for (const path of [`/archive/${month}/1/`, `/sitemaps/${month}-1.xml`])
    assert.match((await read('message', path)).text, new RegExp(id), path)
  for (const [path, sought] of [
    ['/topics/', '/topics/tides/'],
    ['/places/', '/places/pt/'],
    ['/archive/', `/archive/${month}/`],
    ['/sitemap.xml', `/sitemaps/${month}-1.xml`],
  ] as const)
    assert.match((await read('message', path)).text, new RegExp(sought), path)
})

test('an accepted edit replaces the old text and topics everywhere', async () => {
  const id = await publish('message', message('swell'))
  await service.client(apiKey).editPost(id, { text: 'The gauge was repaired; it shows 109 cm.', topics: ['repairs'] })
  await service.settle()
  assert.match((await read('message', `/p/${id}`)).text, /The gauge was repaired/)
  assert.doesNotMatch((await read('message', '/')).text, /at the swell gauge/)
  assert.match((await read('message', '/topics/repairs/')).text, new RegExp(id))
  assert.equal((await read('message', '/topics/swell/')).status, 404, 'a topic goes with its last post')
})

test('a deleted post is gone in every form, leaves every list, and is announced to mirrors for 30 days', async () => {
  const id = await publish('message', message('ebb'))
  await service.client(apiKey).deletePost(id)
  await service.settle()
  for (const form of ['', '.json', '.md']) assert.equal((await read('message', `/p/${id}${form}`)).status, 410, form)
  const problem = await read('message', `/p/${id}`, 'application/json')
  assert.equal(JSON.parse(problem.text).code, 'post_gone')
  assert.match((await read('message', `/p/${id}`, 'text/html')).type, /^text\/html/)
  const month = service.clock.now().toISOString().slice(0, 7)
  for (const path of ['/', '/places/pt/feed.xml', `/archive/${month}/1/`, `/sitemaps/${month}-1.xml`])
    assert.doesNotMatch((await read('message', path)).text, new RegExp(id), path)
  assert.match((await read('message', '/deleted.json')).text, new RegExp(id))
  await purgeWithdrawals(service.workerDb, at(29))
  await service.settle()
  assert.match((await read('message', '/deleted.json')).text, new RegExp(id))
  await purgeWithdrawals(service.workerDb, at(30))
  await service.settle()
  assert.doesNotMatch((await read('message', '/deleted.json')).text, new RegExp(id))
  assert.equal((await read('message', `/p/${id}`)).status, 410, 'the page stays gone')
})

test('a removed post is gone until it is restored', async () => {
  const id = await publish('message', message('flood'))
  const person = { postId: id, actor: 'operator:test', at: service.clock.now() }
  await service.asOperator((tx, sites) => removePost(tx, sites, { ...person, category: 'low_quality' }))
  await service.settle()
  assert.equal((await read('message', `/p/${id}`)).status, 410)
  assert.match((await read('message', '/deleted.json')).text, new RegExp(id))
  await service.asOperator((tx, sites) => upholdAppeal(tx, sites, person))
  await service.settle()
  assert.equal((await read('message', `/p/${id}`)).status, 200)
  assert.match((await read('message', '/topics/flood/')).text, new RegExp(id))
  assert.doesNotMatch((await read('message', '/deleted.json')).text, new RegExp(id))
})

test('an expired ad leaves the lists; its page stays and says so', async () => {
  const id = await publish('classified', kindNamed('classified').examples[0])
  assert.match((await read('classified', '/')).text, new RegExp(id))
  await expirePosts(service.workerDb, at(31))
  await service.settle()
  const page = await read('classified', `/p/${id}`)
  assert.equal(page.status, 200)
  assert.match(page.text, /expired/i)
  for (const path of ['/', '/feed.xml', '/topics/bicycles/'])
    assert.doesNotMatch((await read('classified', path)).text, new RegExp(id), path)
  assert.equal((await read('classified', '/topics/bicycles/')).status, 200, 'a list that was is not suddenly missing')
})

test('an event is in calendars with its time, and after its removal they cancel it without its text', async () => {
  const example = kindNamed('event').examples[0] as { title: string; topics: string[] }
  const id = await publish('event', example)
  const calendars = ['/events.ics', `/topics/${example.topics[0]}/events.ics`, `/p/${id}.ics`]
  for (const path of calendars) assert.match((await read('event', path)).text, new RegExp(`UID:${id}@`), path)
  await service.client(apiKey, 'event').deletePost(id)
  await service.settle()
  for (const path of calendars.slice(0, 2)) {
    const { text } = await read('event', path)
    assert.match(text, new RegExp(`UID:${id}@`), path)
    assert.match(text, /STATUS:CANCELLED/)
    assert.ok(!text.includes(example.title.slice(0, 20)))
  }
  await purgeWithdrawals(service.workerDb, at(31))
  await service.settle()
  assert.doesNotMatch((await read('event', '/events.ics')).text, /CANCELLED/)
  assert.equal((await read('event', String(calendars[1]))).status, 404)
})

test('the pages of a closed account show no name', async () => {
  const id = await publish('message', message('locks'))
  await service.asOwner(
    `update accounts set standing = 'closed' where id = (select account_id from posts where id = $1)`,
    [id],
  )
  const site = siteViews(sitesFromSettings(service.baseUrls)).get('message')
  assert(site)
  await rebuildSite({
    ...{ db: service.workerDb, clock: service.clock, databaseUrl: service.database.urls.worker, site },
    ...{ pages: service.pages, threads: 1, documents: new Map(), onProgress: () => {} },
  })
  const { text } = await read('message', `/p/${id}.json`)
  const post = JSON.parse(text) as { author_id: string | null; content: { author: { name: string } } }
  assert.equal(post.author_id, null)
  assert.equal(post.content.author.name, 'Deleted account')
})
