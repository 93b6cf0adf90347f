import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openPages } from '../../src/platform/page-store/open-pages.ts'
import { startObjectStore } from '../../tooling/services/object-store.ts'
import { serveFiles } from '../support/http/gateway.ts'

const id = 'post_01jcmzq8e5f7r9t2v4x6y8z0ab'
const files = Object.fromEntries(
  ['index.html', `p/ab/${id}.html`, `p/ab/${id}.json`, 'topics/ferries/feed.xml', 'topics/ferries/index.html'].map(
    (path) => [path, 'text'],
  ),
)
const keys = {
  '/': 'messages/',
  [`/p/${id}`]: id,
  [`/p/${id}.json`]: id,
  '/topics/ferries/': 'messages/topics/ferries/',
  '/topics/ferries/feed.xml': 'messages/topics/ferries/',
}
const headers = {
  fastly: { key: 'surrogate-key', separator: ' ', lifetime: 'surrogate-control' },
  cloudflare: { key: 'cache-tag', separator: ',', lifetime: 'cdn-cache-control' },
} as const

/** The files in a directory, and in a bucket. */
const places = {
  'a directory': async (cdn: keyof typeof headers) => serveFiles(files, { cdn }),
  'a bucket': async (cdn: keyof typeof headers) => {
    const { createBucket, ...s3 } = await startObjectStore()
    const bucket = await createBucket()
    await using pages = openPages({ s3: { ...s3, bucket } })
    await (await pages.openSite('messages')).apply(new Map(Object.entries(files)))
    const store = { endpoints: [s3.endpoint], bucket, authorities: '/etc/ssl/certs/ca-certificates.crt' }
    return serveFiles({}, { cdn, store })
  },
}

for (const cdn of ['fastly', 'cloudflare'] as const)
  for (const [place, serve] of Object.entries(places))
    test(`pages in ${place} have the surrogate keys of site and page and a lifetime for ${cdn}, and missing pages have none`, async () => {
      await using gateway = await serve(cdn)
      const names = headers[cdn]
      for (const [path, key] of Object.entries(keys)) {
        const answer = await gateway.ask(path)
        assert.equal(answer.status, 200, path)
        assert.equal(answer.headers.get(names.key), `messages${names.separator}${key}`, path)
        assert.equal(answer.headers.get(names.lifetime), 'max-age=86400')
      }
      const missing = await gateway.ask('/topics/none/')
      assert.equal(missing.status, 404)
      assert.equal(missing.headers.get(names.lifetime), null)
    })

test('without a CDN no response has a surrogate key', async () => {
  await using gateway = await serveFiles(files)
  const answer = await gateway.ask('/')
  for (const { key, lifetime } of Object.values(headers))
    assert.deepEqual([answer.headers.get(key), answer.headers.get(lifetime)], [null, null])
})
