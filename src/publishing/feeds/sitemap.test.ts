import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sitemapFaults, sitemapIndexFaults } from '../../../test/support/pages/valid-formats.ts'
import { sitemapIndex, sitemapShard } from './sitemap.ts'

const baseUrl = 'https://messages.broadside.example'

test('a part of the sitemap is valid according to the sitemaps.org schema', async () => {
  const shard = sitemapShard(baseUrl, [
    { path: 'p/post_01jcmzq8e5f7r9t2v4x6y8z001', lastmod: '2026-11-15T12:00:03.500Z' },
    { path: 'archive/2026-11/1/' },
    { path: 'topics/a&b<c>/' },
  ])
  assert.deepEqual(await sitemapFaults(shard), [])
  assert.match(shard, /<loc>https:\/\/messages\.broadside\.example\/topics\/a&#38;b&#60;c&#62;\/<\/loc><\/url>/)
})

test('the index lists the parts by their full URL', async () => {
  const index = sitemapIndex(baseUrl, ['sitemaps/site.xml', 'sitemaps/2026-11-1.xml'])
  assert.deepEqual(await sitemapIndexFaults(index), [])
  assert.deepEqual(
    [...index.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, address]) => address),
    [`${baseUrl}/sitemaps/site.xml`, `${baseUrl}/sitemaps/2026-11-1.xml`],
  )
})
