import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { migratedDatabase } from '../../../tooling/services/databases.ts'
import { openPurgeClient } from '../../platform/cdn/purge-client.ts'
import { offsetClock } from '../../platform/clock.ts'
import { connect, inTransaction } from '../../platform/database/database.ts'
import type { Settings } from '../../platform/settings/settings.ts'
import { requestPurgesAt, sendPurges, surrogateKeyOf } from './cdn-purges.ts'
import { writeLocked } from './write-locked.ts'

const id = 'post_01jcmzq8e5f7r9t2v4x6y8z0ab'

type Seen = { path: string; key: string | undefined; bearer: string | undefined; body: unknown }

/** Accepts purges as both APIs do. It fails while `isDown`. */
async function startCdn() {
  const seen: Seen[] = []
  const state = { isDown: false }
  const server = createServer(async (request, response) => {
    const body = JSON.parse(Buffer.concat(await request.toArray()).toString())
    const { 'fastly-key': key, authorization: bearer } = request.headers
    if (!state.isDown) seen.push({ path: String(request.url), key: key?.toString(), bearer, body })
    response.writeHead(state.isDown ? 503 : 200, { 'content-type': 'application/json' }).end('{"success":true}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { seen, state, url, [Symbol.asyncDispose]: async () => void server.close() }
}

const clientOf = (provider: 'fastly' | 'cloudflare', url: string) => {
  const settings = { CDN_PROVIDER: provider, CDN_SERVICE_ID: 'abcdefgh1234', CDN_TOKEN: 'token', CDN_API_URL: url }
  const cdn = openPurgeClient(settings satisfies Partial<Settings>)
  assert(cdn)
  return cdn
}

test('a post has its id as surrogate key, and everything else the folder of its site', () => {
  assert.equal(surrogateKeyOf('messages', `p/ab/${id}.html`), id)
  assert.equal(surrogateKeyOf('messages', 'index.html'), 'messages/')
  assert.equal(surrogateKeyOf('messages', 'topics/ferries/feed.xml'), 'messages/topics/ferries/')
})

test('each CDN gets the keys as its API expects them', async () => {
  await using cdn = await startCdn()
  await clientOf('fastly', cdn.url).purge([id])
  await clientOf('cloudflare', cdn.url).purge([id])
  assert.deepEqual(cdn.seen, [
    { path: '/service/abcdefgh1234/purge', key: 'token', bearer: undefined, body: { surrogate_keys: [id] } },
    { path: '/zones/abcdefgh1234/purge_cache', key: undefined, bearer: 'Bearer token', body: { tags: [id] } },
  ])
})

test('a written page is purged once the CDN accepts it, in as many requests as its limit needs', async () => {
  await using database = await migratedDatabase('purges')
  await using worker = connect(database.urls.worker, { poolMax: 2, applicationName: 'test' })
  await using server = await startCdn()
  const cdn = clientOf('cloudflare', server.url)
  const { db } = worker
  const clock = offsetClock()
  const requestPurges = requestPurgesAt(clock)
  await writeLocked(db, {
    ...{ kind: 'message', site: 'messages', page: id, requestPurges },
    store: { apply: async (files: ReadonlyMap<string, unknown>) => files.size } as never,
    makeFiles: async () => new Map([`p/ab/${id}.html`, `p/ab/${id}.json`].map((path) => [path, ''] as const)),
    enqueueAgain: async () => {},
  })
  server.state.isDown = true
  await assert.rejects(sendPurges({ db, clock, cdn }))
  server.state.isDown = false
  const others = Array.from({ length: 150 }, (_, number) => `topics/t${number}/index.html`)
  await inTransaction(db, (tx) => requestPurges(tx, 'messages', others))
  while (await sendPurges({ db, clock, cdn }));
  const tags = server.seen.map(({ body }) => (body as { tags: string[] }).tags)
  assert.deepEqual(
    tags.map(({ length }) => length),
    [100, 51],
  )
  assert.equal(tags[0]?.[0], id)
  // Meanwhile a node of the CDN may have fetched an old page.
  clock.setOffset(5_000)
  while (await sendPurges({ db, clock, cdn }));
  const again = server.seen.slice(2).map(({ body }) => (body as { tags: string[] }).tags)
  assert.deepEqual(again.flat().sort(), tags.flat().sort())
  assert.equal((await db.selectFrom('cdn_purges').select('id').execute()).length, 0)
})
