import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { gatewayProblems } from '../../src/bin/gateway/problems.ts'
import { openPages, type PagesPlace } from '../../src/platform/page-store/open-pages.ts'
import { type Files, type SiteStore, StaleWrite } from '../../src/platform/page-store/site-store.ts'
import { type Answer, exchange } from '../../tooling/network/raw-http.ts'
import { newSecret } from '../../tooling/services/development.ts'
import { firstSecret, startNginx } from '../../tooling/services/nginx.ts'
import { startObjectStore } from '../../tooling/services/object-store.ts'
import { quietPort, waitFor } from '../../tooling/services/state.ts'
import { runInParts, times } from '../../tooling/test-length.ts'
import { browserAccept } from '../support/http/gateway.ts'
import {
  foundation,
  hostilePaths,
  pick,
  randomAction,
  readablePaths,
  type Shown,
} from '../support/pages/store-steps.ts'

const host = 'messages.test'
const stack = new AsyncDisposableStack()
const folder = mkdtempSync(join(tmpdir(), 'page-stores-'))

/** Two processes write to a site. */
type Side = { name: string; port: number; sites: [SiteStore, SiteStore]; seen: Map<string, string> }
let sides: [Side, Side]
let fence = 1

before(async () => {
  chmodSync(folder, 0o755)
  stack.defer(() => rmSync(folder, { recursive: true, force: true }))
  const store = await startObjectStore()
  const bucket = await store.createBucket()
  const { endpoint, region, accessKey, secretKey } = store
  const authorities = '/etc/ssl/certs/ca-certificates.crt'
  sides = [
    await open('directory', { directory: join(folder, 'www') }, {}),
    await open(
      'store',
      { s3: { endpoint, bucket, region, accessKey, secretKey } },
      {
        store: { endpoints: [endpoint], bucket, authorities },
      },
    ),
  ]
})
after(() => stack.disposeAsync())

async function open(name: string, place: PagesPlace, more: object): Promise<Side> {
  const openSite = () => stack.use(openPages(place)).openSite('messages')
  const sites: Side['sites'] = [await openSite(), await openSite()]
  const [port, owner, desk] = [await quietPort(), await quietPort(), await quietPort()]
  const server = (own: number) => ({ port: own, baseUrl: `http://localhost:${own}`, upstreamPort: 1 })
  const gateway = await startNginx({
    directory: join(folder, name),
    sites: [{ name: 'messages', port, baseUrl: `http://${host}`, root: join(folder, 'www/messages') }],
    ...{ ownerPage: server(owner), desk: server(desk), apiPorts: [1], requestsPerSecond: 1_000, burst: 1_000 },
    ...{ problems: gatewayProblems, secret: firstSecret(newSecret()), detached: false, ...more },
  })
  stack.defer(gateway.stop)
  return { name, port, sites, seen: new Map() }
}

type Asked = { path: string; method?: string; headers?: Record<string, string> }

function ask({ port }: Side, { path, method = 'GET', headers = {} }: Asked): Promise<Answer> {
  const all = { host, connection: 'close', ...headers }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return exchange(port, `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`)
}

async function apply(files: Files, by: 0 | 1 = 0): Promise<void> {
  fence++
  const given = pick([fence, fence, undefined])
  for (const { sites } of sides) await sites[by].apply(files, given)
  // Only the object store compares fences.
  const [path] = [...files].find(([, content]) => typeof content === 'string') ?? []
  const [, store] = sides
  if (given && path) await assert.rejects(pick(store.sites).apply(new Map([[path, 'older']]), given - 1), StaleWrite)
}

/** One process begins a rebuild, and the other continues it while the site changes. */
async function swap(former: ReadonlyMap<string, string>, files: Files, by: 0 | 1): Promise<void> {
  for (const { name, sites } of sides) {
    const [one, other] = [sites[by], sites[1 - by] as SiteStore]
    await one.deleteNext()
    await one.writeProgress('{}')
    await one.next({ isFilling: true }).apply(former, ++fence)
    await other.apply(files, ++fence)
    assert.equal(await other.readProgress(), '{}', name)
    await assertContents(other.next(), former, files.keys(), `${name} next`)
    await other.next().apply(files, ++fence)
    await one.swap()
    assert.equal(await other.readUnfinishedSwap(), '{}', name)
    await other.finishSwap()
    await other.deleteOldTrees()
  }
}

type Readable = Pick<SiteStore, 'read' | 'has'>

async function assertContents(
  store: Readable,
  files: ReadonlyMap<string, string>,
  paths: Iterable<string>,
  name: string,
) {
  for (const path of paths) {
    assert.equal((await store.read(path))?.toString(), files.get(path), `${name} ${path}`)
    assert.equal(await store.has(path), files.has(path), `${name} ${path}`)
  }
}

/** What a reader can compare. Tags and times are compared by what they do. */
function comparable({ status, headers, body }: Answer) {
  const fields = [...headers].filter(([name]) => !['date', 'etag', 'last-modified'].includes(name))
  const text =
    headers.get('content-encoding') === 'gzip' && body !== ''
      ? gunzipSync(Buffer.from(body, 'latin1')).toString('latin1')
      : body.replace(/"instance":"\w+"/, '')
  const has = ['etag', 'last-modified'].map((name) => headers.get(name) !== null)
  // nginx redirects to a folder with the headers of its location.
  return status === 301 ? { status, location: headers.get('location') } : { status, fields, has, text }
}

/** Both sides answer alike, at the latest when the store's gateway has looked again. */
async function assertSame(asked: Asked): Promise<[Answer, Answer]> {
  let answers = await Promise.all(sides.map((side) => ask(side, asked)))
  const isSame = () => {
    const [one, other] = answers.map(comparable)
    return JSON.stringify(one) === JSON.stringify(other)
  }
  const deadline = performance.now() + 10_000
  while (!isSame() && performance.now() < deadline) answers = await Promise.all(sides.map((side) => ask(side, asked)))
  const [one, other] = answers as [Answer, Answer]
  assert.deepEqual(comparable(other), comparable(one), JSON.stringify(asked))
  return [one, other]
}

/** The tag of a version is unique, and tells whether the reader has it. */
async function assertTags(asked: Asked, answers: readonly Answer[]): Promise<void> {
  for (const [index, answer] of answers.entries()) {
    const side = sides[index] as Side
    const tag = answer.headers.get('etag')
    if (answer.status !== 200 || tag === null) continue
    assert.match(tag, /^W\/"[^"]+"$/)
    const text = String(comparable(answer).text)
    const key = `${asked.path} ${asked.headers?.['accept'] ?? ''} ${tag}`
    if (asked.method !== 'HEAD') assert.equal(side.seen.get(key) ?? text, text, `${side.name}: ${key} has two contents`)
    if (asked.method !== 'HEAD') side.seen.set(key, text)
    const conditions = [{ 'if-none-match': tag }, { 'if-modified-since': String(answer.headers.get('last-modified')) }]
    for (const condition of conditions) {
      const again = await ask(side, { ...asked, headers: { ...asked.headers, ...condition } })
      assert.deepEqual([again.status, again.body], [304, ''], `${side.name} ${JSON.stringify([asked, condition])}`)
      assert.equal(again.headers.get('etag'), tag)
    }
    const other = await ask(side, { ...asked, headers: { ...asked.headers, 'if-none-match': '"other"' } })
    assert.equal(other.status, 200)
  }
}

const accepts = ['', '*/*', browserAccept, 'application/json', 'text/markdown', 'application/json;q=0.5, text/html']
const codings = ['', 'gzip', 'gzip, br', 'identity', 'gzip;q=0', 'br']

test('a directory and an object store have the same files, and give the same bytes and headers, over random steps of two processes', async (context) => {
  const shown: Shown = { posts: new Map(), files: new Map(foundation) }
  await apply(foundation)
  let requests = 0
  const change = async () => {
    const former = new Map(shown.files)
    const { isSwap, files } = randomAction(shown)
    const by = pick([0, 1] as const)
    await (isSwap ? swap(former, files, by) : apply(files, by))
    const paths = [...files.keys(), ...Array.from({ length: 3 }, () => pick([...shown.files.keys()]))]
    for (const { name, sites } of sides) await assertContents(sites[1 - by] as SiteStore, shown.files, paths, name)
  }
  const look = async () => {
    for (let index = 0; index < 24; index++) {
      const path = pick(index % 4 === 3 ? hostilePaths : readablePaths(shown))
      const [accept, coding] = [pick(accepts), pick(codings)]
      const headers = { ...(accept && { accept }), ...(coding && { 'accept-encoding': coding }) }
      const asked = { path, method: pick(['GET', 'GET', 'HEAD']), headers }
      const answers = await assertSame(asked)
      if (index % 3 === 0) await assertTags(asked, answers)
      requests++
    }
  }
  const changes = await runInParts(times({ whole: 1_000, short: 40 }), 5, async (count) => {
    for (let index = 0; index < count; index++) await change()
    await look()
  })
  context.diagnostic(`${changes} changes, ${requests} requests of both, ${shown.posts.size} posts`)
})

test('what was withdrawn is gone from both within 10 seconds, and no header of the store is sent', async () => {
  const id = 'post_01jcmzq8e5f7r9t2v4x6y8z0ab'
  await apply(
    new Map([
      [`p/ab/${id}.html`, 'secret'],
      [`p/ab/${id}.json`, '{"a":"secret"}'],
    ]),
  )
  for (const side of sides) {
    const isShown = async () => (await ask(side, { path: `/p/${id}` })).body === 'secret'
    await waitFor(isShown, `the post on ${side.name}`)
  }
  await apply(
    new Map([
      [`p/ab/${id}.gone`, ''],
      [`p/ab/${id}.html`, null],
      [`p/ab/${id}.json`, null],
    ]),
  )
  const begin = performance.now()
  for (const side of sides)
    for (const form of ['', '.json']) {
      const isGone = async () => (await ask(side, { path: `/p/${id}${form}` })).status === 410
      await waitFor(isGone, `the end of the post on ${side.name}`)
    }
  assert.ok(performance.now() - begin < 10_000)
  const { headers } = await ask(sides[1], { path: '/index.html' })
  for (const [name] of headers) assert.doesNotMatch(name, /amz|rgw|accept-ranges/)
})

test('a path cannot lead out of the tree', async () => {
  for (const { sites } of sides) {
    const hostile = ['../a', 'a/../../b', '/etc/x', '.hidden', 'a b', '', 'a//b', 'a/', 'a?x=1', 'a%2f..', 'a#b', 'ä']
    for (const path of [...hostile, 'a'.repeat(2_000)]) {
      await assert.rejects(sites[0].apply(new Map([[path, 'x']])), path)
      await assert.rejects(sites[0].read(path), path)
    }
    assert.equal(await sites[0].has('.well-known/nothing.txt'), false)
  }
})
